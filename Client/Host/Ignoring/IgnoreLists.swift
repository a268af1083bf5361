import BasketDatabase
import BasketSupport
import FileProviderReplica
import FileProviderRules
import Synchronization

/// The rules of what stays here, as the lists in the domain's folders say them. They are files like any other,
/// so that all devices of a person have the same.
final class IgnoreLists: Sendable {
    private static let name = ".basketignore"
    /// What is longer is no list that a person wrote.
    private static let longest: Int64 = 1 << 20

    private struct List: Equatable, Sendable {
        let id: NodeID
        let folder: [String]
        /// Nil while its content is not here.
        let file: Int64?
        let content: EntryContent?
        let size: Int64
    }

    private let replica: Replica
    private let state: Mutex<(lists: [List], rules: IgnoreRules)>

    init(_ replica: Replica) {
        self.replica = replica
        state = Mutex(([], IgnoreRules(caseRule: replica.rule)))
    }

    /// The rules as they are now. Where lists have changed, what stayed here because of them is looked at again.
    ///
    /// While a list cannot be read, the rules are what they were: nothing stands still because of it.
    func refreshed() async throws -> IgnoreRules {
        let lists = try replica.read(Self.lists)
        let known = state.withLock { $0 }
        if lists == known.lists { return known.rules }
        var rules = IgnoreRules(caseRule: replica.rule)
        var missing: [NodeID] = []
        for list in lists {
            guard let file = list.file else {
                missing.append(list.id)
                continue
            }
            let bytes: [UInt8]
            do {
                bytes = try replica.contents.open(file)
                    .read(at: 0, count: Int(min(list.size, Self.longest)))
            } catch {
                replica.world.log.warning(
                    "a list of what to ignore cannot be read", ["error": .text("\(error)")])
                return known.rules
            }
            rules.setList(
                IgnoreList(
                    patterns: String(decoding: bytes, as: UTF8.self), caseRule: replica.rule),
                in: list.folder)
        }
        let (wanted, final) = (missing, rules)
        try await replica.write { transaction in
            for id in wanted { try transaction.update(id) { $0.isWanted = true } }
            try transaction.include(.byRule)
        }
        state.withLock { $0 = (lists, final) }
        return rules
    }

    private static func lists(_ reader: ReplicaReader) throws -> [List] {
        let ids: [NodeID] = try reader.db.all(
            "SELECT id FROM node WHERE name = '\(name)' AND key IS NOT NULL ORDER BY id"
        ) { row throws(SQLiteError) in try row[0] }
        return try ids.compactMap { id in
            guard let node = try reader.node(id), node.kind == .file else { return nil }
            return List(
                id: id, folder: try reader.path(of: id).dropLast(),
                file: node.residence == .whole ? node.file : nil,
                content: node.trees.local?.content, size: node.size)
        }
    }
}
