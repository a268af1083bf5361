import BasketDatabase
import BasketSupport
import FileProviderReplica
import FileProviderRules
import Synchronization

/// The rules of what stays here, as the lists in the domain's folders say them. They are files like any other,
/// so that all devices of a person have the same.
final class IgnoreLists: Sendable {
    /// What is longer is no list that a person wrote.
    private static let longest: Int64 = 1 << 20

    private struct List: Equatable, Sendable {
        let id: NodeID
        let folder: [String]
        /// Nil while no content of it is here.
        let file: Int64?
        /// Whether that is its newest content.
        let isNewest: Bool
        let content: EntryContent?
        let size: Int64
    }

    private let replica: Replica
    private struct State {
        var lists: [List] = []
        var patterns: [NodeID: IgnoreList] = [:]
        var rules: IgnoreRules
    }

    private let state: Mutex<State>

    init(_ replica: Replica) {
        self.replica = replica
        state = Mutex(State(rules: IgnoreRules(caseRule: replica.rule)))
    }

    /// The rules as they are now. Where lists have changed, what stayed here because of them is looked at again.
    ///
    /// While a list cannot be read, the rules are what they were: nothing stands still because of it. While its
    /// newest content is not here, the one before counts, and what stayed here stays.
    func refreshed() async throws -> IgnoreRules {
        let lists = try replica.read(Self.lists)
        let known = state.withLock { $0 }
        if lists == known.lists { return known.rules }
        var fresh = State(lists: lists, rules: IgnoreRules(caseRule: replica.rule))
        let missing = lists.filter { !$0.isNewest }.map(\.id)
        for list in lists {
            guard let file = list.file else {
                if !list.isNewest, let patterns = known.patterns[list.id] {
                    fresh.patterns[list.id] = patterns
                    fresh.rules.setList(patterns, in: list.folder)
                }
                continue
            }
            let patterns: IgnoreList
            do {
                patterns = try read(file)
            } catch {
                replica.world.log.warning(
                    "a list of what to ignore cannot be read", ["error": .text("\(error)")])
                return known.rules
            }
            if !known.lists.contains(list) { tell(patterns.flaws, of: list) }
            fresh.patterns[list.id] = patterns
            fresh.rules.setList(patterns, in: list.folder)
        }
        let final = fresh
        try await replica.write { transaction in
            for id in missing { try transaction.update(id) { $0.isWanted = true } }
            // What a list names that nobody can read now would go to the provider.
            if missing.isEmpty { try transaction.reconsiderIgnored() }
        }
        state.withLock { $0 = final }
        return final.rules
    }

    /// The lines of a list that are passed over; none of what is no list, or is not here.
    func flaws(of node: StoredNode) throws -> [IgnoreFlaw] {
        guard node.trees.local?.name == ReplicaReader.ignoreListName, node.kind == .file,
            node.residence == .whole, let file = node.file
        else { return [] }
        return try read(file).flaws
    }

    private func read(_ number: Int64) throws -> IgnoreList {
        let file = try replica.contents.open(number)
        let bytes = try file.read(at: 0, count: Int(min(file.size(), Self.longest)))
        return IgnoreList(
            patterns: String(decoding: bytes, as: UTF8.self), caseRule: replica.rule)
    }

    /// What is wrong with a list is said once, when it has come; later, whoever asks about it is told.
    private func tell(_ flaws: [IgnoreFlaw], of list: List) {
        for flaw in flaws.prefix(Self.mostTold) {
            replica.world.log.warning(
                "a line of an ignore list is passed over",
                [
                    "node": .number(list.id.rawValue), "line": .number(Int64(flaw.line)),
                    "reason": .text(flaw.problem.message),
                ])
        }
    }

    /// Who has written that many wrong lines sees by the first of them what is wrong.
    private static let mostTold = 10

    private static func lists(_ reader: ReplicaReader) throws -> [List] {
        let ids: [NodeID] = try reader.db.all(
            """
            SELECT id FROM node WHERE name = '\(ReplicaReader.ignoreListName)' AND key IS NOT NULL
            ORDER BY id
            """
        ) { row throws(SQLiteError) in try row[0] }
        return try ids.compactMap { id in
            guard let node = try reader.node(id), node.kind == .file,
                // Whoever throws a list away does not mean another folder by it.
                try !reader.lies(id, below: .trash)
            else { return nil }
            let isWhole = node.residence == .whole
            return List(
                id: id, folder: try reader.path(of: id).dropLast(),
                file: isWhole ? node.file : node.basis?.file, isNewest: isWhole,
                content: node.trees.local?.content, size: node.size)
        }
    }
}
