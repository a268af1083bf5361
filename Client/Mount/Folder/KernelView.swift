import BasketSupport
import FileProviderReplica
import Synchronization

/// What the kernel was told of nodes, and has not forgotten: as much as is needed to tell it what is not so any more.
final class KernelView: Sendable {
    /// Where a node is.
    struct Place: Equatable, Sendable {
        let folder: NodeID
        let name: String

        /// Names that look alike are others to the kernel.
        static func == (one: Place, other: Place) -> Bool {
            one.folder == other.folder && one.name.hasSameBytes(as: other.name)
        }
    }

    /// What the kernel may have kept of a node.
    struct Facts: Sendable {
        var status: FileStatus
        /// Of which content it may have bytes.
        private(set) var content: EntryContent
        /// The file that holds them.
        private(set) var file: Int64?
        /// Of what was written here: what it was written over.
        private let base: EntryContent?

        init(_ node: StoredNode, _ status: FileStatus) {
            self.status = status
            content = node.main?.content ?? .none
            file = node.file
            base = content.isEdit ? node.trees.synced?.content : nil
        }

        /// Whether the bytes may be others than those.
        func differsInBytes(from other: Facts) -> Bool {
            guard content != other.content else { return false }
            // What is written here, the kernel writes itself, over what it has; and what was sent is what it was.
            if content.isEdit {
                return !other.content.isEdit && base != nil && base != other.content
            }
            return file == nil || file != other.file
        }

        /// It was told how the node is now. That does not have it forget any bytes.
        mutating func take(statusOf newer: Facts) {
            if newer.differsInBytes(from: self) {
                status = newer.status
            } else {
                self = newer
            }
        }
    }

    struct Known: Sendable {
        /// How often it was told.
        var times: UInt64
        /// Nil where it has no name for it any more.
        var place: Place?
        var facts: Facts
        /// The number of the last time that it was told to forget the bytes.
        var forgotten: UInt64 = 0
        /// What it has done by itself since it was told how the node is: who watches has heard of it.
        var doings: KernelDoings = []
    }

    private struct State {
        var known: [NodeID: Known] = [:]
        /// Nodes about which questions are being answered that change something, and how many.
        var busy: [NodeID: Int] = [:]
        /// Changes that are looked at after those, by what they wait for.
        var waiting: [NodeID: Set<NodeID>] = [:]
    }

    /// Whether the kernel knows no more than what it was told here: not where it has asked a process before this one.
    let isWhole: Bool
    private let state = Mutex(State())
    /// How often it was told to forget the bytes of a file, whichever.
    private let forgettings = Atomic<UInt64>(0)

    init(isWhole: Bool) {
        self.isWhole = isWhole
    }

    // MARK: What it is told

    /// It knows a node by its name, once more.
    func note(_ node: StoredNode, _ status: FileStatus) {
        let facts = Facts(node, status)
        let place = node.trees.local.map { Place(folder: $0.parent, name: $0.name) }
        state.withLock { state in
            var known = state.known[node.id] ?? Known(times: 0, place: place, facts: facts)
            known.times += 1
            known.place = place
            known.facts.take(statusOf: facts)
            known.doings = []
            state.known[node.id] = known
        }
    }

    /// It was told of what it knows already.
    func update(_ node: StoredNode, _ status: FileStatus) {
        let facts = Facts(node, status)
        state.withLock { state in
            state.known[node.id]?.facts.take(statusOf: facts)
            state.known[node.id]?.doings = []
        }
    }

    /// It is about to hear that it has done that.
    func note(_ doings: KernelDoings, to node: NodeID) {
        state.withLock { _ = $0.known[node]?.doings.formUnion(doings) }
    }

    /// It was told of what it has done.
    func clearDoings(of node: NodeID) {
        state.withLock { $0.known[node]?.doings = [] }
    }

    func forget(_ node: NodeID, times: UInt64) {
        state.withLock { state in
            guard let known = state.known[node] else { return }
            if known.times <= times {
                state.known[node] = nil
            } else {
                state.known[node]?.times -= times
            }
        }
    }

    func known(_ node: NodeID) -> Known? { state.withLock { $0.known[node] } }

    /// Whether it may know the node. The root, it always knows.
    func mayKnow(_ node: NodeID) -> Bool {
        node == .root || !isWhole || state.withLock { $0.known[node] != nil }
    }

    /// It knows by itself, or was told just now, where the node is; nil for nowhere.
    func set(_ place: Place?, of node: NodeID) {
        state.withLock { $0.known[node]?.place = place }
    }

    /// What it is told of a node that is gone, for as long as it asks.
    func set(_ status: FileStatus, of node: NodeID) {
        state.withLock { state in
            state.known[node]?.facts.status = status
            state.known[node]?.facts.status.node = UInt64(bitPattern: node.rawValue)
        }
    }

    func set(_ facts: Facts, of node: NodeID) {
        state.withLock { $0.known[node]?.facts = facts }
    }

    // MARK: Bytes

    /// Whoever opens a file from now on does not read what is forgotten before that.
    var moment: UInt64 { forgettings.load(ordering: .sequentiallyConsistent) }

    /// It is about to be told to forget the bytes of a file.
    func noteForgetting(bytesOf node: NodeID) {
        state.withLock { state in
            let number = forgettings.add(1, ordering: .sequentiallyConsistent).newValue
            state.known[node]?.forgotten = number
        }
    }

    /// Whether it was told so since then, or may have been.
    func wasForgotten(_ node: NodeID, since moment: UInt64) -> Bool {
        state.withLock { $0.known[node].map { $0.forgotten > moment } ?? true }
    }

    // MARK: What it changes itself

    /// What the kernel asks to be changed it need not be told of.
    func begin(_ nodes: [NodeID]) {
        state.withLock { state in
            for node in nodes { state.busy[node, default: 0] += 1 }
        }
    }

    /// - Returns: changes that are to be looked at now.
    func end(_ nodes: [NodeID]) -> Set<NodeID> {
        state.withLock { state in
            var due: Set<NodeID> = []
            for node in nodes {
                let left = (state.busy[node] ?? 1) - 1
                state.busy[node] = left == 0 ? nil : left
                if left == 0 { due.formUnion(state.waiting.removeValue(forKey: node) ?? []) }
            }
            return due
        }
    }

    /// - Returns: whether the change is looked at later.
    func waits(_ change: NodeID, for nodes: [NodeID]) -> Bool {
        state.withLock { state in
            guard let node = nodes.first(where: { state.busy[$0] != nil }) else { return false }
            state.waiting[node, default: []].insert(change)
            return true
        }
    }
}
