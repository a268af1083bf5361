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
        private let content: ContentPrint
        /// The file that holds them.
        private let file: Int64?
        /// Of what was written here: what it was written over.
        private let base: ContentPrint?

        init(_ node: StoredNode, _ status: FileStatus) {
            self.status = status
            content = ContentPrint(node.main?.content ?? .none)
            file = node.file
            base = content.isEdit ? (node.trees.synced?.content).map(ContentPrint.init) : nil
        }

        init(_ seen: SeenContent, _ status: FileStatus) {
            self.status = status
            content = ContentPrint(seen.content)
            file = seen.file
            base = content.isEdit ? seen.base.map(ContentPrint.init) : nil
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
        /// Whose number it is, or was last.
        var node: NodeID
        /// How often it was told.
        var times: UInt64
        /// Nil where it has no name for it any more.
        var place: Place?
        var facts: Facts
        /// How often it is still to be told to forget the bytes.
        var forgettings = 0
        /// Whether it has no bytes of the time of a process before this one.
        var isOwn: Bool
        /// When the node was given another number, and this one was left to who has it open.
        var left: Duration?
        /// What it has done by itself since it was told how the node is: who watches has heard of it.
        var doings: KernelDoings = []
        /// No length that it may have for the file is greater.
        var longest: Int64
    }

    /// What the kernel may take for the length of a file that somebody opens. What it reads behind the end, it makes zeros of.
    enum LengthAtOpening: Equatable {
        /// It has none that is too great.
        case isKnown
        /// It may have one. Who opens it is to look once more, after the kernel was told to forget what it has.
        case isDoubtful
        /// It may, though this one has looked once more: the file changes faster than that.
        case isStillDoubtful
    }

    /// Somebody looks once more for a file.
    private struct Look {
        let number: UInt64
        let since: Duration
        /// The greatest length that anybody was told of since.
        var longest: Int64?
    }

    private struct State: ~Copyable {
        /// By the numbers of bytes.
        var known = NumberTable<Known>()
        /// Nodes about which questions are being answered that change something, and how many.
        var busy: [NodeID: Int] = [:]
        /// Changes that are looked at after those, by what they wait for.
        var waiting: [NodeID: Set<NodeID>] = [:]
        /// What else is said of what has lost its name here, for who has it open.
        var attributes: [UInt64: EntryAttributes] = [:]
        /// Who looks once more for a file that it opens, by threads.
        var looks: [Int32: Look] = [:]

        mutating func forgetLooks(before moment: Duration) {
            if !looks.isEmpty { looks = looks.filter { $0.value.since > moment } }
        }

        mutating func noteTold(_ length: Int64, of number: UInt64) {
            for (thread, look) in looks where look.number == number {
                looks[thread]?.longest = max(look.longest ?? 0, length)
            }
        }
    }

    /// Whether the kernel knows no more than what it was told here: not where it has asked a process before this one.
    let isWhole: Bool
    private let state = Mutex(State())

    init(isWhole: Bool) {
        self.isWhole = isWhole
    }

    // MARK: What it is told

    /// It knows a node by its name, once more.
    func note(_ node: StoredNode, _ status: FileStatus, as number: UInt64) {
        let facts = Facts(node, status)
        let place = node.trees.local.map { Place(folder: $0.parent, name: $0.name) }
        state.withLock { state in
            var known =
                state.known[number]
                ?? Known(
                    node: node.id, times: 0, place: place, facts: facts, isOwn: isWhole,
                    longest: isWhole ? 0 : .max)
            known.node = node.id
            known.times += 1
            known.place = place
            known.facts.take(statusOf: facts)
            known.doings = []
            known.longest = max(known.longest, status.size)
            state.known[number] = known
            state.noteTold(status.size, of: number)
        }
    }

    /// It was told of what it knows already.
    func update(_ node: StoredNode, _ status: FileStatus, as number: UInt64) {
        let facts = Facts(node, status)
        state.withLock { state in
            guard var known = state.known[number] else { return }
            known.facts.take(statusOf: facts)
            known.doings = []
            known.longest = max(known.longest, status.size)
            state.known[number] = known
            state.noteTold(status.size, of: number)
        }
    }

    /// It is about to hear that it has done that.
    func note(_ doings: KernelDoings, to number: UInt64) {
        state.withLock { _ = $0.known[number]?.doings.formUnion(doings) }
    }

    /// It was told of what it has done.
    func clearDoings(of number: UInt64) {
        state.withLock { $0.known[number]?.doings = [] }
    }

    /// - Returns: whether it knows the number no more.
    func forget(_ number: UInt64, times: UInt64) -> Bool {
        state.withLock { state in
            guard let known = state.known[number] else { return true }
            if known.times <= times {
                state.known[number] = nil
                if !state.attributes.isEmpty { state.attributes[number] = nil }
                return true
            }
            state.known[number]?.times -= times
            return false
        }
    }

    func known(_ number: UInt64) -> Known? { state.withLock { $0.known[number] } }

    /// Whether it may know the number. The root, it always knows.
    func mayKnow(_ number: UInt64) -> Bool {
        number == Self.root || !isWhole || state.withLock { $0.known[number] != nil }
    }

    /// It knows by itself, or was told just now, where the node is; nil for nowhere.
    func set(_ place: Place?, of number: UInt64) {
        state.withLock { $0.known[number]?.place = place }
    }

    /// A number is another node's.
    func set(_ node: NodeID, of number: UInt64) {
        state.withLock { $0.known[number]?.node = node }
    }

    /// The node has another number, and this one is theirs who have it open.
    func noteLeft(_ number: UInt64, at moment: Duration) {
        state.withLock { $0.known[number]?.left = moment }
    }

    /// What it is told of a file that is no node's, for as long as it asks.
    func set(_ status: FileStatus, of number: UInt64) {
        state.withLock { $0.known[number]?.facts.status = status }
    }

    /// Somebody has written to a file that is no node's.
    func set(modified: Timestamp, of number: UInt64) {
        state.withLock { state in
            state.known[number]?.facts.status.modified = modified
            state.known[number]?.facts.status.changed = modified
        }
    }

    /// What is about to have no name is kept for as long as the kernel knows it.
    func keep(_ attributes: EntryAttributes, of number: UInt64) {
        state.withLock { state in
            if state.known[number] != nil { state.attributes[number] = attributes }
        }
    }

    func kept(of number: UInt64) -> EntryAttributes? {
        state.withLock { $0.attributes[number] }
    }

    func changeKept(of number: UInt64, _ change: (inout EntryAttributes) -> Void) {
        state.withLock { state in
            guard var attributes = state.attributes[number] else { return }
            change(&attributes)
            state.attributes[number] = attributes
        }
    }

    func set(_ facts: Facts, of number: UInt64) {
        state.withLock { $0.known[number]?.facts = facts }
    }

    // MARK: Bytes

    /// Whether all bytes that it may have are those that somebody is about to read.
    func holds(_ seen: SeenContent, as number: UInt64) -> Bool {
        state.withLock { state in
            guard let known = state.known[number], known.isOwn, known.forgettings == 0
            else { return false }
            return !Facts(seen, known.facts.status).differsInBytes(from: known.facts)
        }
    }

    /// It has changed a file itself, which holds that by now.
    func noteWritten(_ seen: SeenContent, of number: UInt64) {
        state.withLock { state in
            guard let known = state.known[number] else { return }
            let facts = Facts(seen, known.facts.status)
            if !facts.differsInBytes(from: known.facts) { state.known[number]?.facts = facts }
        }
    }

    /// It has forgotten what it had of a file, whoever had told it that.
    func noteOwn(bytesOf number: UInt64) {
        state.withLock { $0.known[number]?.isOwn = true }
    }

    /// It is about to be told to forget the bytes of a file.
    func beginForgetting(bytesOf number: UInt64) {
        state.withLock { $0.known[number]?.forgettings += 1 }
    }

    func endForgetting(bytesOf number: UInt64) {
        // What it was told anew meanwhile, nothing is to be forgotten of.
        state.withLock { state in
            if let count = state.known[number]?.forgettings, count > 0 {
                state.known[number]?.forgettings = count - 1
                state.known[number]?.isOwn = true
            }
        }
    }

    // MARK: Lengths

    private static let root = UInt64(bitPattern: NodeID.root.rawValue)
    /// Whoever looks once more comes back before that, or not at all.
    private static let longestLook = Duration.seconds(60)

    /// It is about to be told that a file is so long.
    func noteTelling(_ length: Int64, of number: UInt64) {
        state.withLock { state in
            guard let longest = state.known[number]?.longest else { return }
            if longest < length { state.known[number]?.longest = length }
            state.noteTold(length, of: number)
        }
    }

    /// It has made a file so long itself, or longer if it was so.
    func noteWritten(upTo end: Int64, of number: UInt64) {
        state.withLock { state in
            guard let longest = state.known[number]?.longest, longest < end else { return }
            state.known[number]?.longest = end
        }
    }

    /// It makes a file so long itself when it hears that this was done, whatever it was told before.
    func noteCut(to length: Int64, of number: UInt64) {
        state.withLock { $0.known[number]?.longest = length }
    }

    /// Somebody is looking once more for what it opens, or may be: it was told so for another reason, or by a process before
    /// this one. The kernel does so once for a program.
    func noteLook(by thread: Int32, at moment: Duration) {
        state.withLock { state in
            state.forgetLooks(before: moment - Self.longestLook)
            state.looks[thread] = Look(number: Self.nobody, since: moment)
        }
    }

    /// No file's number.
    private static let nobody: UInt64 = 0

    /// Somebody opens a file of some length, under a number by which nobody is told of another one from now on.
    ///
    /// What it was told of a file, the kernel takes or leaves in an order of its own. But of what was asked before it was told to
    /// forget what it has, it takes nothing; and who opens a file after that has asked anew.
    func open(
        _ number: UInt64, _ length: Int64, by thread: Int32, at moment: Duration
    ) -> LengthAtOpening {
        state.withLock { state in
            let look = state.looks.isEmpty ? nil : state.looks.removeValue(forKey: thread)
            let longest = state.known[number]?.longest ?? (isWhole ? 0 : .max)
            if longest <= length { return .isKnown }
            if let look, moment - look.since < Self.longestLook {
                // Also where the name has led to another file this time: nobody is to look a third time.
                guard look.number == number, let told = look.longest, told <= length else {
                    return .isStillDoubtful
                }
                state.known[number]?.longest = length
                return .isKnown
            }
            // Of a program that this process cannot see, nobody can tell whether it has looked once more.
            if thread <= 0 { return .isStillDoubtful }
            state.forgetLooks(before: moment - Self.longestLook)
            state.looks[thread] = Look(number: number, since: moment)
            return .isDoubtful
        }
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
