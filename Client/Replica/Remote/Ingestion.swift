import BasketDatabase
import BasketSupport
import FileProvider

/// Takes in many items in one transaction. What is new and in nobody's way, which is nearly all of a first
/// enumeration, costs one statement: whether it is, the table itself says.
struct Ingestion {
    /// The folder in which the last item was: most often the next one is in it, too.
    private struct Home {
        let identifier: NSFileProviderItemIdentifier
        let id: NodeID
        /// Whether what is told of in it appears at once.
        let isOpen: Bool
    }

    private let transaction: ReplicaTransaction
    private let isListed: Bool
    private var home: Home?
    /// Whether a content policy may come from above.
    private var hasPolicies: Bool?
    /// Names that this device may have at the provider without having them here.
    private var asked: Set<AskedName>?
    /// The number of the last node, where it is not in the table yet.
    private var lastNode: Int64?

    init(_ transaction: ReplicaTransaction, isListed: Bool) {
        self.transaction = transaction
        self.isListed = isListed
    }

    /// - Returns: false for what lies in a folder that nobody knows.
    mutating func take(_ item: RemoteItem) throws -> Bool {
        if try insertAtOnce(item) { return true }
        try finish()
        defer {
            home = nil
            hasPolicies = nil
        }
        let folder = try transaction.reader.id(of: item.parent)
        let mayBeOurs = try folder.map { try isAsked(item.name, in: $0) } ?? false
        return try transaction.ingest(item, isListed: isListed, isShown: !mayBeOurs) != nil
    }

    /// Notes which numbers are given away. Nobody else gives any before that.
    mutating func finish() throws {
        guard let lastNode else { return }
        try transaction.db.run("UPDATE replica SET nodes = ?", lastNode)
        self.lastNode = nil
    }

    /// - Returns: false when something of it is not as it most often is, and nothing was done.
    private mutating func insertAtOnce(_ item: RemoteItem) throws -> Bool {
        guard item.identifier != .rootContainer, item.identifier != .trashContainer,
            item.policy == .inherited, CaseRule.posix.problem(with: item.name) == nil,
            let home = try home(item.parent), home.isOpen, try !policies(),
            // It may be what this device has asked for.
            try !isAsked(item.name, in: home.id)
        else { return false }
        let last = try lastNode ?? transaction.db.value("SELECT nodes FROM replica") ?? 0
        let node = transaction.newNode(
            NodeID(rawValue: last + 1), item, in: home.id, isListed: isListed)
        // Who has the identifier or the name already keeps it, and nothing happens.
        guard try transaction.insertIfFree(node) else { return false }
        lastNode = last + 1
        return true
    }

    private mutating func home(_ identifier: NSFileProviderItemIdentifier) throws -> Home? {
        if let home, home.identifier == identifier { return home }
        let found = try transaction.db.first(
            "SELECT id, trees, excluded FROM node WHERE identifier = ?", identifier.rawValue
        ) { row throws(SQLiteError) in
            let trees = TreeBits(rawValue: Int(row.integer(1)))
            return Home(
                identifier: identifier, id: try row[0],
                isOpen: trees.contains(.local) && row.integer(2) == 0)
        }
        home = found
        return found
    }

    private mutating func isAsked(_ name: String, in folder: NodeID) throws -> Bool {
        let asked = try asked ?? transaction.reader.askedNames()
        self.asked = asked
        if asked.isEmpty { return false }
        let key = transaction.rule.collisionKey(of: name)
        return asked.contains(AskedName(folder: folder, key: key))
    }

    private mutating func policies() throws -> Bool {
        if let hasPolicies { return hasPolicies }
        let found = try transaction.reader.hasPolicies()
        hasPolicies = found
        return found
    }
}

extension ReplicaTransaction {
    /// Takes in what the provider says of items, one after another.
    /// - Returns: those in folders that nobody knows.
    package func ingest(_ items: [RemoteItem], isListed: Bool) throws -> [RemoteItem] {
        var ingestion = Ingestion(self, isListed: isListed)
        let strays = try items.filter { try !ingestion.take($0) }
        try ingestion.finish()
        return strays
    }

    /// Writes a node that both sides agree on, unless its identifier or its name is taken.
    fileprivate func insertIfFree(_ node: StoredNode) throws -> Bool {
        guard try db.run(NodeColumn.insertIfFree, scalars: node.values(rule)) > 0 else {
            return false
        }
        try noteMaterialised(node, before: nil)
        changes.note(node.id, in: node.trees.local?.parent)
        return true
    }
}
