import BasketSupport
import FileProviderReplica
import Synchronization

/// A file's bytes, as some programs have them open. What comes from the provider meanwhile is not theirs: who
/// has begun to read goes on with what was there, as with a file that was replaced by another one.
final class OpenContent: Sendable {
    struct State {
        var node: NodeID
        var seen: SeenContent
        /// The file with some or all of the bytes, kept where it is.
        var file: (any ChangeableFile)?
        var hold: ContentHold?
        /// Files that were made for nobody else, and are not written to by programs.
        var ownFiles: [Int64] = []
        /// Which bytes are known to be in it, as long as not all are.
        var ranges = ContentRanges()
        /// Somebody has got some of its bytes.
        var isRead = false
        /// It was removed here: what is written to it, only those see who have it open.
        var isRemoved = false
        /// What is written goes into the file as it is.
        var isWriting = false
        /// The replica does not know yet what was written last.
        var isDirty = false
        /// Since when something waits to be sent; and when something was last written, or somebody came to write.
        var unsentSince: Duration?
        var written = Duration.zero
        var modified: Timestamp?
        /// What the replica knows to be safe; and which file has a note about what length.
        var proven: ProvenLength?
        var marked: (file: Int64, length: Int64)?
        var users = 0
        var writers = 0
        /// Another one each time that it shows something else: who has looked at the replica before that looks again.
        var generation = 0
        /// No node holds it any more, and what is missing of it was asked for by itself.
        var isDetached = false
    }

    let replica: Replica
    /// Whoever needs to be alone with several goes through their gates by this, whose nodes change.
    let number: UInt64
    let gate = Gate()
    let state: Mutex<State>
    /// One after another: who appends finds out where the end is, and writes there.
    let appending = Mutex<Void>(())

    /// - Parameter number: nobody else's, and never given again.
    init(
        _ node: NodeID, _ seen: SeenContent, begun: BegunFile? = nil, number: UInt64,
        replica: Replica
    ) {
        self.replica = replica
        self.number = number
        state = Mutex(
            State(
                node: node, seen: seen, file: begun?.file, hold: begun?.hold,
                isWriting: begun != nil))
    }

    var node: NodeID { state.withLock { $0.node } }
    var isRemoved: Bool { state.withLock { $0.isRemoved } }

    /// How many bytes lie here for those alone who have it open: no node holds them.
    var bytesBesides: Int64 {
        state.withLock { state in
            guard state.isDetached || state.isRemoved, state.seen.file != nil else { return 0 }
            return state.seen.isWhole ? state.seen.size : state.ranges.count
        }
    }

    /// Whether this is what a node holds now.
    func shows(_ content: SeenContent) -> Bool {
        state.withLock { !$0.isRemoved && $0.seen.isSame(as: content) }
    }

    var size: Int64 {
        get throws {
            let (file, size) = state.withLock { ($0.isWriting ? $0.file : nil, $0.seen.size) }
            return try file?.size() ?? size
        }
    }

    /// Somebody may have got what is here otherwise than by reading it here.
    func noteSeen() {
        state.withLock { state in
            if state.seen.file != nil, state.seen.size > 0 { state.isRead = true }
        }
    }

    // MARK: Reading

    /// The file, if the bytes of a range are in it.
    func source(of range: Range<Int64>) -> (any File)? {
        state.withLock { state in
            guard let file = state.file, state.seen.isWhole || state.ranges.contains(range) else {
                return nil
            }
            state.isRead = true
            return file
        }
    }

    /// Looks what is here by now.
    ///
    /// - Returns: false when no node holds any more what somebody has begun to read, and not all of it is here.
    @discardableResult
    func refresh() throws -> Bool {
        let (id, generation, isKnown) = state.withLock {
            ($0.node, $0.generation, ($0.isRemoved || $0.isWriting) && $0.seen.isWhole)
        }
        if isKnown {
            try openFile()
            return true
        }
        let (now, ranges, hold) = try replica.read { reader in
            let now = try reader.content(of: id)
            // Held before it is given up.
            return (now, try reader.ranges(of: id), now?.file.map(replica.contents.hold))
        }
        let isNodes = state.withLock { state -> Bool? in
            // Somebody has begun to write, or has ended, since it was looked.
            guard state.generation == generation else { return nil }
            guard let now, !state.isRemoved, state.canTurn(to: now) else {
                return state.seen.isWhole
            }
            if state.seen.file != now.file {
                state.file = nil
                state.hold = hold
            }
            state.hold = state.hold ?? hold
            state.seen = now
            state.ranges = ranges
            return true
        }
        guard let isNodes else { return try refresh() }
        try openFile()
        return isNodes
    }

    func openFile() throws {
        let number = state.withLock { $0.file == nil ? $0.seen.file : nil }
        guard let number else { return }
        // It may have gone before it was held. Who asks again sees what is there instead.
        guard replica.contents.exists(number) else { return }
        let file = try replica.contents.openToChange(number)
        state.withLock { state in
            if state.seen.file == number, state.file == nil { state.file = file }
        }
    }
}

extension OpenContent.State {
    /// Whether nobody can have noticed that it was another content. Who knows its length reads no more than that.
    fileprivate func canTurn(to content: SeenContent) -> Bool {
        content.isSame(as: seen) || !isRead && content.size == seen.size
    }
}
