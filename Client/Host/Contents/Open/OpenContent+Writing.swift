import BasketDatabase
import BasketSupport
import FileProviderReplica
import Synchronization

// Writing. Bytes go to the disk at once; the replica is told that they come before the first of them, and what
// has become of them when there is a quiet moment, or when somebody asks for it.
extension OpenContent {
    /// Does something to the file, if it can be written to as it is.
    /// - Returns: nil when that has to be begun first.
    func change<Result>(
        at moment: Duration, _ time: Timestamp,
        _ body: (any ChangeableFile) throws -> Result
    ) throws -> Result? {
        guard gate.enter() else { return nil }
        defer { gate.leave() }
        let file = state.withLock { $0.isWriting ? $0.file : nil }
        guard let file else { return nil }
        // Also what fails may have written something.
        defer {
            state.withLock { state in
                state.isDirty = true
                state.isRead = true
                state.written = moment
                state.modified = time
                if state.unsentSince == nil { state.unsentSince = moment }
            }
        }
        return try body(file)
    }

    /// Makes ready for writing.
    /// - Parameters:
    ///   - keepsBytes: whether what is there stays, but for what is written over: then all of it is here.
    ///   - naming: gets to know into which new file it goes, before anybody else can find that.
    ///   - placed: gets to know whose content it is, once that can be found.
    func begin(
        keepsBytes: Bool, naming: (Int64) -> Void, placed: (NodeID) -> Void
    ) async throws {
        try await gate.alone {
            let (id, seen, isReady, isRemoved) = state.withLock {
                ($0.node, $0.seen, $0.isWriting && $0.file != nil, $0.isRemoved)
            }
            if isReady { return }
            if isRemoved { return try await beginAside(keepsBytes: keepsBytes) }
            if let number = try await replica.write({
                try $0.goOnWriting(id, seen: seen, keepsBytes: keepsBytes)
            }) {
                return try write(into: number, replica.contents.openToChange(number))
            }
            let number = try await replica.nextFile()
            // What is not named yet, nobody removes but for the one who fails below.
            do {
                let size = try await copy(to: number, keepsBytes: keepsBytes)
                // What may fail comes before anybody is told: who tried, and then tries again, has seen this content.
                let file = try replica.contents.openToChange(number)
                let hold = replica.contents.hold(number)
                naming(number)
                let place = try await replica.write {
                    try $0.beginWriting(
                        id, in: number, seen: seen, size: size, keepsBytes: keepsBytes)
                }
                placed(place)
                try write(into: number, file, hold)
                noteMark(of: number)
            } catch {
                replica.discardUnlessNamed(number)
                throw error
            }
        }
    }

    private func noteMark(of number: Int64) {
        do {
            let mark = try replica.read { try $0.mark(ofFile: number) }
            if let mark { note(mark, at: number) }
        } catch {
            replica.world.log.warning(
                "what a file is cannot be noted at it",
                ["file": .number(number), "error": .text("\(error)")])
        }
    }

    /// Notes at a file what it is, before anything is in it that is nowhere else. Where a full disk has no room for that,
    /// the journal of what is unsent knows it alone.
    func note(_ mark: ContentMark, at number: Int64) {
        do {
            try replica.contents.set(mark, at: number)
            state.withLock { $0.marked = (number, mark.size ?? 0) }
        } catch {
            replica.world.log.warning(
                "what a file is cannot be noted at it",
                ["file": .number(number), "error": .text("\(error)")])
        }
    }

    /// Nobody else will ever see it.
    private func beginAside(keepsBytes: Bool) async throws {
        let number = try await replica.nextFile()
        do {
            _ = try await copy(to: number, keepsBytes: keepsBytes)
            try write(
                into: number, replica.contents.openToChange(number),
                replica.contents.hold(number), isRemoved: true)
        } catch {
            replica.discardUnlessNamed(number)
            throw error
        }
    }

    private func write(
        into number: Int64, _ file: any ChangeableFile, _ hold: ContentHold? = nil,
        isRemoved: Bool = false
    ) throws {
        let size = try file.size()
        let now = try isRemoved ? nil : replica.read { try $0.node(file: number) }
        state.withLock { state in
            state.generation += 1
            state.file = file
            if let hold { state.hold = hold }
            state.isWriting = true
            if let now, let seen = SeenContent(now) {
                state.node = now.id
                state.seen = seen
            } else {
                state.isRemoved = true
                state.seen.file = number
                state.seen.size = size
                state.seen.isWhole = true
            }
        }
    }

    /// So much is copied before others have a turn: where the disk cannot share bytes, more of it takes long.
    private static let copyStep: Int64 = 4 << 20

    /// - Returns: how much it is.
    private func copy(to number: Int64, keepsBytes: Bool) async throws -> Int64 {
        let (file, seen) = state.withLock { ($0.file, $0.seen) }
        _ = try replica.contents.create(number)
        guard keepsBytes, file != nil || seen.size > 0 else { return 0 }
        guard let file, seen.isWhole else { throw LocalError.dataless }
        let target = try replica.contents.openToChange(number)
        return try await replica.world.aside { try await Self.copy(file, to: target) }
    }

    private static func copy(
        _ file: any File, to target: any ChangeableFile
    ) async throws -> Int64 {
        let size = try file.size()
        for part in try file.data(in: 0..<size) {
            var start = part.lowerBound
            while start < part.upperBound {
                if start > 0 {
                    await Task.yield()
                    try Task.checkCancellation()
                }
                let step = start..<min(part.upperBound, start + copyStep)
                guard try target.copy(step, from: file) == step.upperBound else {
                    throw LocalError.stale
                }
                start = step.upperBound
            }
        }
        try target.resize(to: size)
        return size
    }

    // MARK: Telling the replica

    /// Tells the replica what was written.
    /// - Parameter proven: which file was made safe just now, and how long it was then.
    /// - Returns: whether who waits until nobody writes to it knows that nobody does.
    @discardableResult
    func finish(
        _ occasion: WritingOccasion, proving proven: ProvenLength? = nil
    ) async throws -> Bool {
        // A program that is killed while it closes a file has closed it.
        let isCancellable = occasion != .close
        return try await gate.alone(isCancellable: isCancellable) {
            try await finishAlone(occasion, proving: proven)
        }
    }

    /// The same, and something else in the same transaction, after it.
    func finish<Result: Sendable>(
        _ occasion: WritingOccasion,
        with change: @escaping @Sendable (ReplicaTransaction) throws -> Result
    ) async throws -> Result {
        try await gate.alone {
            let result = Mutex<Result?>(nil)
            try await finishAlone(occasion) { transaction in
                let changed = try change(transaction)
                result.withLock { $0 = changed }
            }
            if let changed = result.withLock({ $0 }) { return changed }
            return try await replica.writeSoon(change)
        }
    }

    @discardableResult
    private func finishAlone(
        _ occasion: WritingOccasion, proving proven: ProvenLength? = nil,
        with change: @escaping @Sendable (ReplicaTransaction) throws -> Void = { _ in }
    ) async throws -> Bool {
        let isKnown = try await tell(
            isOver: occasion == .seal || occasion == .close, isDated: occasion == .date,
            proving: proven, with: change)
        state.withLock { state in
            let isSendable: Bool =
                switch occasion {
                case .flush, .date: false
                case .quiet, .seal: true
                case .close: state.writers == 0
                }
            if isSendable { state.unsentSince = nil }
        }
        return isKnown
    }

    /// - Parameters:
    ///   - isOver: whether what is written next is begun anew.
    ///   - isDated: whether the replica has to know all that was done to the file until now.
    ///   - change: is made in the same transaction, if there is anything to tell.
    /// - Returns: whether its node is looked at again, as nobody writes to it any more.
    private func tell(
        isOver: Bool, isDated: Bool, proving made: ProvenLength?,
        with change: @escaping @Sendable (ReplicaTransaction) throws -> Void
    ) async throws -> Bool {
        let known = state.withLock { $0 }
        guard known.isWriting, let file = known.file, let number = known.seen.file else {
            return false
        }
        // Another file may have come in its place since then, of which nobody knows that.
        let proven = made?.file == number ? made : nil
        let isNews = proven != nil && proven != known.proven
        guard known.isDirty || isOver || isDated || isNews else { return false }
        // Of what only they see who have it open, nobody is told; but what is kept aside grows with what is written.
        if known.isRemoved, try replica.read({ try $0.rescued(number) }) == nil { return false }
        let size = try file.size()
        let touched = try replica.world.files.modified(replica.contents.path(number))
        let modified = known.isDirty ? known.modified : nil
        let count = replica.changes.count
        let isMarked = known.marked ?? (0, -1) == (number, size)
        let note = { @Sendable (transaction: ReplicaTransaction) -> (Bool, ContentMark?) in
            let node = try transaction.finish(
                number, size: size, modified: modified, touched: touched, isOver: isOver,
                proven: proven?.length)
            try change(transaction)
            let mark = try isMarked ? nil : node.map { try transaction.reader.mark(of: $0) }
            return (node != nil, mark)
        }
        let (isThere, mark): (Bool, ContentMark?)
        do {
            (isThere, mark) = try await isNews ? replica.write(note) : replica.writeSoon(note)
        } catch let error as SQLiteError where error.isFull && isOver {
            // The bytes have their room already, and nobody may take the file for what it was before.
            (isThere, mark) = try await replica.makeRoom(isSparing: true, note)
        }
        state.withLock { state in
            state.generation += 1
            state.isDirty = false
            state.modified = nil
            state.seen.size = size
            state.isWriting = !isOver
            // What was written since then is another content, however long it is.
            if known.isDirty || proven != nil { state.proven = proven }
            if !isThere { state.isRemoved = true }
        }
        if let mark {
            // Where something else was committed as well, that may be newer.
            if replica.changes.count == count + 1 {
                self.note(mark, at: number)
            } else {
                noteMark(of: number)
            }
        }
        return isThere && isOver
    }

    /// Does something while nothing is written, and all that was is known; what is written next is begun anew.
    func sealed<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await gate.alone {
            try await finishAlone(.seal)
            return try await body()
        }
    }

    /// Makes what was written durable.
    func synchronise() async throws {
        let (file, number, isRemoved) = state.withLock { state in
            (state.seen.isWhole ? state.file : nil, state.seen.file, state.isRemoved)
        }
        guard let file else {
            try await finish(.flush)
            return try await replica.makeCommitsDurable()
        }
        let length = try file.size()
        do {
            try file.synchronize()
            if let number, !isRemoved { try replica.contents.synchroniseName(of: number) }
        } catch {
            if let number, error.isLostWrite { try await replica.distrust(number, error) }
            throw error
        }
        guard let number else {
            try await finish(.flush)
            return try await replica.makeCommitsDurable()
        }
        if !isRemoved, !state.withLock({ $0.isWriting }) {
            // It is being sent, and nobody has anything else to tell of it.
            try await replica.prove(number, length: length)
        } else {
            try await finish(.flush, proving: ProvenLength(file: number, length: length))
        }
        try await replica.makeCommitsDurable()
        try replica.requireTrust(in: number)
    }

    // MARK: Names

    /// It was removed here, or another file took its place.
    func remove() {
        state.withLock { state in
            state.generation += 1
            state.isRemoved = true
            if state.isWriting, let file = state.file, let size = try? file.size() {
                state.seen.size = size
            }
            // The provider may be asked for it once more, to be deleted there: its file stays as it is.
            state.isWriting = false
        }
    }

    /// Its bytes are another node's now, which was saved by way of this one.
    func move(to node: NodeID) {
        state.withLock { state in
            state.generation += 1
            state.node = node
        }
    }

    /// Nobody has it open any more. What nobody else can see goes.
    func discard() {
        let numbers = state.withLock { state in
            defer {
                state.file = nil
                state.hold = nil
                state.ownFiles = []
            }
            let written = state.isRemoved && state.isWriting ? state.seen.file : nil
            return state.ownFiles + (written.map { [$0] } ?? [])
        }
        for number in numbers { replica.discardUnlessNamed(number) }
    }
}
