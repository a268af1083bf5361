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

    /// The kernel knows a number from now on.
    func noteTold(_ number: UInt64) {
        state.withLock { state in
            if !state.unknown.isEmpty { state.unknown.remove(number) }
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
            give([(second, one), (first, other)], &state)
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
            give([(state.last, node)], &state)
            state.unknown.insert(state.last)
            return true
        }
    }

    /// What becomes of a number that a node is given.
    enum Taken: Equatable {
        /// It had it.
        case isSo
        /// It was nobody's; by that other one, the node is known no more.
        case from(UInt64)
        /// It was another node's, which has the other one now.
        case exchanged(with: NodeID)
    }

    /// What is written by a number is a node's, whose the number may not have been.
    func take(_ number: UInt64, for node: NodeID, isKnown: (UInt64) -> Bool) -> Taken {
        state.withLock { state in
            let old = state.numbers[node] ?? Self.own(node)
            if old == number { return .isSo }
            if let other = Self.node(number, state) {
                if !isKnown(old) { state.unknown.insert(old) }
                give([(number, node), (old, other)], &state)
                return .exchanged(with: other)
            }
            state.nodes[old] = nil
            give([(number, node)], &state)
            return .from(old)
        }
    }

    private func give(_ gifts: [(number: UInt64, node: NodeID)], _ state: inout State) {
        notes.note(gifts)
        for (number, node) in gifts {
            let isOwn = number == Self.own(node)
            state.numbers[node] = isOwn ? nil : number
            state.nodes[number] = isOwn ? nil : node
        }
    }

    /// The kernel does not know a number any more. Nodes have their own once more when it knows none of theirs, nor of those
    /// with whom they have exchanged them.
    /// - Parameters:
    ///   - isKnown: whether it was told of a number.
    ///   - isThere: whether a node is there still.
    func forget(_ number: UInt64, isKnown: (UInt64) -> Bool, isThere: (NodeID) -> Bool) {
        state.withLock { state in
            // It may have been told of it once more since.
            if state.numbers.isEmpty || isKnown(number) { return }
            let (holder, owner) = (state.nodes[number], Self.owner(number))
            guard holder != nil || state.numbers[owner] != nil else { return }
            state.unknown.insert(number)
            if let holder, !isThere(holder) { takeAway([holder], &state) }
            for node in [holder, owner].compactMap(\.self) {
                if let ring = Self.unknownRing(from: node, state) { takeAway(ring, &state) }
            }
        }
    }

    private static let longestRing = 1000

    /// A node, who has its number, who has that one's, and so on; nil where the kernel knows any of these.
    private static func unknownRing(from node: NodeID, _ state: State) -> [NodeID]? {
        var ring: [NodeID] = []
        var next = node
        while ring.count < longestRing {
            guard let given = state.numbers[next], state.unknown.contains(given),
                state.unknown.contains(own(next))
            else { return nil }
            ring.append(next)
            guard let holder = state.nodes[own(next)], holder != node else { return ring }
            next = holder
        }
        return nil
    }

    private func takeAway(_ nodes: [NodeID], _ state: inout State) {
        let given = nodes.compactMap { state.numbers.removeValue(forKey: $0) }
        for number in given { state.nodes[number] = nil }
        // Of one that is gone, another one may have the number still.
        let own = nodes.map { node in
            (state.nodes[Self.own(node)] == nil ? Self.own(node) : NumberNotes.none, node)
        }
        let owners = given.filter { !LocalNumber.isFresh($0) }.map(Self.owner)
            .filter { state.numbers[$0] == nil && !nodes.contains($0) }
        notes.note(own + owners.map { (Self.own($0), $0) })
        for number in given + nodes.map(Self.own)
        where state.nodes[number] == nil && state.numbers[Self.owner(number)] == nil {
            state.unknown.remove(number)
        }
    }
}
