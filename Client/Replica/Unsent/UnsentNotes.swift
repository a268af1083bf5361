import Synchronization

/// The nodes and files of which one transaction has something to say to the journal of what is unsent, as they are now.
final class UnsentNotes: Sendable {
    private struct Noted {
        var nodes: [NodeID: StoredNode] = [:]
        var files: Set<Int64> = []
        /// What is on its way out of an imported tree; nil for what has arrived.
        var arrivals: [NodeID: ArrivalRow?] = [:]
        var part = UnsentBatch.Part.change
        var isCutOff = false
    }

    let journal: UnsentJournal
    private let noted = Mutex(Noted())

    /// More than this is not kept in memory: then the journal is renewed, which goes through all nodes in steps.
    private static let most = 10_000

    init(_ journal: UnsentJournal) {
        self.journal = journal
    }

    func note(_ node: StoredNode) {
        noted.withLock { noted in
            guard noted.nodes.count < Self.most || noted.nodes[node.id] != nil else {
                noted.isCutOff = true
                return
            }
            noted.nodes[node.id] = node
        }
    }

    /// A file of what is unsent is not needed any more, or was removed.
    func note(file: Int64) {
        noted.withLock { noted in
            guard noted.files.count < Self.most || noted.files.contains(file) else {
                noted.isCutOff = true
                return
            }
            noted.files.insert(file)
        }
    }

    func note(claimed row: ArrivalRow) {
        note(row.node, row)
    }

    func note(arrived id: NodeID) {
        note(id, nil)
    }

    private func note(_ id: NodeID, _ row: ArrivalRow?) {
        noted.withLock { noted in
            guard noted.arrivals.count < Self.most || noted.arrivals[id] != nil else {
                noted.isCutOff = true
                return
            }
            noted.arrivals[id] = .some(row)
        }
    }

    var arrivals: [UnsentBatch.Note] {
        noted.withLock { noted in
            noted.arrivals.sorted { $0.key < $1.key }.map { id, row in
                row.map(UnsentBatch.Note.claimed) ?? .arrived(id)
            }
        }
    }

    var files: [Int64] { noted.withLock { $0.files.sorted() } }

    var part: UnsentBatch.Part {
        get { noted.withLock { $0.part } }
        set { noted.withLock { $0.part = newValue } }
    }

    var isCutOff: Bool { noted.withLock { $0.isCutOff } }

    /// By number, so that the same comes of the same.
    var nodes: [StoredNode] {
        noted.withLock { $0.nodes.values.sorted { $0.id < $1.id } }
    }
}
