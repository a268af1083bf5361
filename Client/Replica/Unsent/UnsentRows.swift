import BasketDatabase

/// Gathers what is to be written down of some nodes: themselves, and the folders that they lie in, where those are
/// not written down already.
struct UnsentRows {
    let transaction: ReplicaTransaction
    private(set) var notes: [UnsentBatch.Note] = []
    private var folders: Set<NodeID> = []

    private var reader: ReplicaReader { transaction.reader }

    init(transaction: ReplicaTransaction) {
        self.transaction = transaction
    }

    mutating func add(_ node: StoredNode) throws {
        // A folder stays until nothing lies in it any more that is unsent, which nobody counts.
        guard node.main != nil, node.isUnsent || node.kind == .folder else {
            return notes.append(.gone(node.id))
        }
        try put(node)
        var open = node.homes
        while let id = open.popLast() {
            guard !folders.contains(id), !transaction.unsent.journal.holds(id),
                let folder = try reader.node(id)
            else { continue }
            try put(folder)
            open += folder.homes
        }
    }

    mutating func add(file: Int64) throws {
        if try reader.isDropped(file) {
            notes.append(.dropped(file))
        } else if transaction.unsent.journal.mayHold(dropped: file) {
            notes.append(.removed(file))
        }
    }

    private mutating func put(_ node: StoredNode) throws {
        if node.kind == .folder { folders.insert(node.id) }
        var row = UnsentRow(node: node)
        if node.identifier == nil, node.isUnsent {
            row.isOffered = try reader.isOffered(node.id)
            if node.isUnanswered { row.identity = try reader.identity(ofWhoAskedFor: node.id) }
        }
        row.isBegun = try reader.isBegun(node.id)
        notes.append(.row(row))
    }
}
