import BasketSupport
import FileProviderReplica
import Synchronization

/// By which numbers the kernel knows nodes. To the kernel, a number is what an inode is: it has one length and one set of
/// bytes, and whoever has it open goes on with these. So a number goes where its bytes go, whatever names and nodes they
/// have by then; and what others have put in their place while somebody has them open gets a number that was nobody's.
///
/// Most nodes have their own.
final class KernelNumbers: Sendable {
    private struct State {
        /// Those that are not the nodes' own.
        var numbers: [NodeID: UInt64] = [:]
        var nodes: [UInt64: NodeID] = [:]
        /// Which of all these, and of the own ones of these nodes, the kernel does not know.
        var unknown: Set<UInt64> = []
        var last: UInt64
    }

    private let state: Mutex<State>
    private let notes: NumberNotes

    /// - Parameters:
    ///   - path: of the file in which they are kept for the process after this one.
    ///   - isResumed: whether the kernel knows what a process before this one has told.
    init(path: String, isResumed: Bool, world: World) {
        notes = NumberNotes(path: path, world: world)
        // Far from those of any process before.
        var state = State(
            last: LocalNumber.firstFresh | world.randomUInt64() & 0x0fff_ffff_0000_0000)
        for (node, number) in notes.begin(isResumed: isResumed) {
            state.numbers[node] = number
            state.nodes[number] = node
        }
        self.state = Mutex(state)
    }

    private static func own(_ node: NodeID) -> UInt64 { UInt64(bitPattern: node.rawValue) }
    private static func owner(_ number: UInt64) -> NodeID {
        NodeID(rawValue: Int64(bitPattern: number))
    }

    /// By what the kernel is told of it.
    func number(of node: NodeID) -> UInt64 {
        state.withLock { $0.numbers[node] ?? Self.own(node) }
    }

    /// The same, and the kernel knows the number from now on.
    func tell(_ node: NodeID) -> UInt64 {
        state.withLock { state in
            guard let number = state.numbers[node] else { return Self.own(node) }
            state.unknown.remove(number)
            return number
        }
    }

    /// Whose it is now; nil where its bytes are no node's any more.
    func node(_ number: UInt64) -> NodeID? {
        state.withLock { Self.node(number, $0) }
    }

    private static func node(_ number: UInt64, _ state: State) -> NodeID? {
        if let node = state.nodes[number] { return node }
        let node = owner(number)
        return LocalNumber.isFresh(number) || state.numbers[node] != nil ? nil : node
    }

    // MARK: What changes

    /// Two nodes have each other's bytes.
    /// - Parameter isKnown: whether the kernel may know a number.
    func exchange(_ one: NodeID, _ other: NodeID, isKnown: (UInt64) -> Bool) {
        state.withLock { state in
            let (first, second) = (
                state.numbers[one] ?? Self.own(one), state.numbers[other] ?? Self.own(other)
            )
            for number in [first, second] where !isKnown(number) { state.unknown.insert(number) }
            give(second, to: one, &state)
            give(first, to: other, &state)
        }
    }

    /// A node has other bytes, and somebody goes on with those that it had.
    /// - Returns: false where the number was nobody's any more.
    @discardableResult
    func renew(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard let node = Self.node(number, state) else { return false }
            state.last += 1
            state.nodes[number] = nil
            give(state.last, to: node, &state)
            state.unknown.insert(state.last)
            return true
        }
    }

    /// Bytes that were no node's any more are one's again.
    /// - Returns: by what that was known so far; nil for the same.
    func adopt(_ number: UInt64, for node: NodeID) -> UInt64? {
        state.withLock { state in
            let old = state.numbers[node] ?? Self.own(node)
            guard old != number, Self.node(number, state) == nil else { return nil }
            state.nodes[old] = nil
            give(number, to: node, &state)
            return old
        }
    }

    private func give(_ number: UInt64, to node: NodeID, _ state: inout State) {
        notes.note(number, of: node)
        let isOwn = number == Self.own(node)
        state.numbers[node] = isOwn ? nil : number
        state.nodes[number] = isOwn ? nil : node
    }

    /// The kernel does not know a number any more. Nodes of which it knows none have their own once more.
    /// - Parameter isThere: whether a node is there still.
    func forget(_ number: UInt64, isThere: (NodeID) -> Bool) {
        state.withLock { state in
            if state.numbers.isEmpty { return }
            let (holder, owner) = (state.nodes[number], Self.owner(number))
            guard holder != nil || state.numbers[owner] != nil else { return }
            state.unknown.insert(number)
            if let holder, !isThere(holder) { takeAway(number, from: holder, &state) }
            for node in [holder, owner].compactMap(\.self) {
                let own = Self.own(node)
                guard let given = state.numbers[node], state.nodes[own] == nil,
                    state.unknown.isSuperset(of: [own, given])
                else { continue }
                takeAway(given, from: node, &state)
            }
        }
    }

    private func takeAway(_ number: UInt64, from node: NodeID, _ state: inout State) {
        state.nodes[number] = nil
        let own = Self.own(node)
        notes.note(own, of: node)
        state.numbers[node] = nil
        for number in [number, own]
        where state.nodes[number] == nil && state.numbers[Self.owner(number)] == nil {
            state.unknown.remove(number)
        }
    }
}
