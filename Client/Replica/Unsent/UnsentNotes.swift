import Synchronization

/// The nodes and files of which one transaction has something to say to the journal of what is unsent, as they are now.
final class UnsentNotes: Sendable {
    private struct Noted {
        var nodes: [NodeID: StoredNode] = [:]
        var files: Set<Int64> = []
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
