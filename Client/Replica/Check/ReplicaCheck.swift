import BasketDatabase
import BasketSupport

/// Looks whether all that a replica stores agrees, while others go on to work with it: what they change meanwhile is no
/// problem. Unless it is to be quick, it reads every node, and the length of every file.
package struct ReplicaCheck {
    private let replica: Replica
    private var problems: [ReplicaProblem] = []

    private static let nodesAtOnce = 500
    /// Where more is wrong than that, nobody reads on.
    package static let mostProblems = 100

    package init(of replica: Replica) { self.replica = replica }

    /// - Parameter isQuick: whether only the databases are looked at, and no node.
    package mutating func run(isQuick: Bool = false) async throws -> [ReplicaProblem] {
        for damage in try replica.read({ try Self.damages(of: $0.db, isQuick: isQuick) }) {
            complain("replica.db: \(damage)")
        }
        // What is in a database that is broken itself, nobody can tell.
        let isReadable = problems.isEmpty
        let damages = try replica.journal.damages(isQuick: isQuick)
        for damage in damages { complain("unsent.db: \(damage)") }
        guard !isQuick, isReadable else { return problems }
        try sums()
        try places()
        try contents()
        if damages.isEmpty { try await journal() }
        return problems
    }

    private mutating func complain(_ text: String, of node: NodeID? = nil) {
        if problems.count < Self.mostProblems {
            problems.append(ReplicaProblem(node: node, text: text))
        }
    }

    // MARK: The databases

    private mutating func sums() throws {
        let strays = try replica.read { try $0.db.value(Self.foreignKeys, of: Int.self) }
        if let strays, strays > 0 { complain("replica.db: \(strays) rows are about nothing") }
        let (noted, counted) = try replica.read { reader in
            (try reader.bytesHere(), try reader.db.value("SELECT sum(here) FROM node") ?? 0)
        }
        if noted != counted { complain("\(noted) bytes are said to be here, and \(counted) are") }
    }

    private static let foreignKeys = "SELECT count(*) FROM pragma_foreign_key_check"

    /// - Parameter isQuick: whether indexes are not held against their tables.
    static func damages(
        of db: Connection, isQuick: Bool = false
    ) throws(SQLiteError) -> [String] {
        do {
            return try db.all("PRAGMA \(isQuick ? "quick" : "integrity")_check(10)") {
                row throws(SQLiteError) in try row[0]
            }
            .filter { $0 != "ok" }
        } catch let error where error.isCorrupt {
            // So much is wrong that it cannot even be looked through.
            return [error.message]
        }
    }

    // MARK: The nodes

    private mutating func places() throws {
        let lost: [NodeID] = try replica.read { reader in
            try reader.db.all(
                """
                SELECT id FROM node
                WHERE key IS NOT NULL AND parent <> 0
                    AND NOT EXISTS (SELECT 1 FROM node folder WHERE folder.id = node.parent)
                LIMIT \(Self.mostProblems)
                """
            ) { row throws(SQLiteError) in try row[0] }
        }
        for id in lost { complain("it lies in no folder", of: id) }
    }

    private mutating func contents() throws {
        var last = NodeID(rawValue: 0)
        while true {
            let after = last
            let nodes = try replica.read {
                try $0.nodesWithFiles(after: after, limit: Self.nodesAtOnce)
            }
            guard let newest = nodes.last else { return }
            last = newest.id
            for node in nodes {
                guard let problem = try problem(with: node), try isStill(node) else { continue }
                complain(problem, of: node.id)
            }
        }
    }

    private func isStill(_ node: StoredNode) throws -> Bool {
        try replica.read { try $0.node(node.id) } == node
    }

    private func problem(with node: StoredNode) throws -> String? {
        guard let file = node.file else { return nil }
        guard try replica.contents.isThere(file) else { return "its file \(file) is not there" }
        if node.residence == .partial {
            let ranges = try replica.read { try $0.ranges(of: node.id) }
            if ranges.count != node.here { return "\(node.here) bytes are said to be here" }
            let end = ranges.ranges.last?.upperBound ?? 0
            return end > node.size ? "more is here than there is" : nil
        }
        // What a program writes is told of when there is a quiet moment.
        let isWritten = try replica.read {
            try $0.isWrittenInPlace(node.id) || $0.hasWriter(node.id)
        }
        let size = try replica.contents.open(file).size()
        return isWritten || size == node.size
            ? nil : "its file \(file) has \(size) bytes, and not \(node.size)"
    }

    // MARK: The journal

    private mutating func journal() async throws {
        let suspects = try missing() + superfluous()
        if suspects.isEmpty { return }
        let first = try replica.read { reader in try suspects.map { try reader.node($0) } }
        // What was committed until now is in the journal after that.
        try await replica.write { _ in }
        for (id, before) in zip(suspects, first) {
            let isIn = try replica.journal.holdsUnsent(id)
            guard try replica.read({ try $0.node(id) }) == before,
                isIn != (before?.isUnsent ?? false)
            else { continue }
            complain(isIn ? "the journal takes it for unsent" : "the journal lacks it", of: id)
        }
    }

    /// Nodes that are unsent, and not so in the journal.
    private func missing() throws -> [NodeID] {
        var missing: [NodeID] = []
        var last = NodeID.trash
        while true {
            let after = last
            let nodes = try replica.read { try $0.unsentCandidates(after: after) }
            guard let newest = nodes.last else { return missing }
            last = newest.id
            for node in nodes where node.isUnsent && missing.count < Self.mostProblems {
                if try !replica.journal.holdsUnsent(node.id) { missing.append(node.id) }
            }
        }
    }

    /// Those that are unsent in the journal alone.
    private func superfluous() throws -> [NodeID] {
        var superfluous: [NodeID] = []
        var last = NodeID.trash
        while superfluous.count < Self.mostProblems {
            let ids = try replica.journal.unsent(after: last, limit: Self.nodesAtOnce)
            guard let newest = ids.last else { break }
            last = newest
            superfluous += try replica.read { reader in
                try ids.filter { try reader.node($0)?.isUnsent != true }
            }
        }
        return superfluous
    }
}
