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
    ///   - placed: gets to know whose content it is, before anybody else can ask.
    func begin(keepsBytes: Bool, placed: (NodeID) -> Void) async throws {
        try await gate.alone {
            let (id, seen, isReady, isRemoved) = state.withLock {
                ($0.node, $0.seen, $0.isWriting, $0.isRemoved)
            }
            if isReady { return }
            if isRemoved { return try await beginAside(keepsBytes: keepsBytes) }
            let writing = try await replica.write { try $0.prepareWriting(id, seen: seen) }
            guard writing.isAnew else { return try write(into: writing.file) }
            let hold = replica.contents.hold(writing.file)
            do {
                let size = try copy(to: writing.file, keepsBytes: keepsBytes)
                try mark(writing.file, of: id, seen)
                let place = try await replica.write {
                    try $0.begin(writing, of: id, seen: seen, size: size)
                }
                placed(place)
                try write(into: writing.file, hold)
            } catch {
                withExtendedLifetime(hold) {}
                throw error
            }
        }
    }

    /// Notes at a file what it is, before anything is in it that is nowhere else.
    private func mark(_ number: Int64, of id: NodeID, _ seen: SeenContent) throws {
        let mark = try replica.read { reader in
            if let node = try reader.node(id), node.trees.local != nil {
                return try reader.mark(of: node)
            }
            return ContentMark(
                path: try reader.path(of: seen.parent) + [seen.name], item: nil, base: nil)
        }
        try replica.contents.set(mark, at: number)
    }

    /// Nobody else will ever see it.
    private func beginAside(keepsBytes: Bool) async throws {
        let number = try await replica.write { try $0.nextFile() }
        let hold = replica.contents.hold(number)
        _ = try copy(to: number, keepsBytes: keepsBytes)
        try write(into: number, hold, isRemoved: true)
    }

    private func write(
        into number: Int64, _ hold: ContentHold? = nil, isRemoved: Bool = false
    ) throws {
        let file = try replica.contents.openToChange(number)
        let size = try file.size()
        let now = try isRemoved ? nil : replica.read { try $0.node(file: number) }
        state.withLock { state in
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

    /// - Returns: how much it is.
    private func copy(to number: Int64, keepsBytes: Bool) throws -> Int64 {
        let (file, seen) = state.withLock { ($0.file, $0.seen) }
        _ = try replica.contents.create(number)
        guard keepsBytes, seen.size > 0 else { return 0 }
        guard let file, seen.isWhole else { throw LocalError.dataless }
        let target = try replica.contents.openToChange(number)
        let size = try file.size()
        for part in try file.data(in: 0..<size) {
            guard try target.copy(part, from: file) == part.upperBound else {
                throw LocalError.stale
            }
        }
        try target.resize(to: size)
        return size
    }
    /// Tells the replica what was written.
    /// - Parameter isOver: whether nobody goes on with it.
    func finish(isOver: Bool) async throws {
        try await gate.alone { try await finishAlone(isOver: isOver) }
    }

    private func finishAlone(isOver: Bool) async throws {
        let known = state.withLock { state in
            // Whoever waits for it to be sent need not wait any more.
            state.unsentSince = nil
            return state
        }
        guard known.isWriting, let file = known.file, let number = known.seen.file,
            !known.isRemoved, known.isDirty || isOver
        else { return }
        let size = try file.size()
        let touched = try replica.world.files.modified(replica.contents.path(number))
        let modified = known.isDirty ? known.modified : nil
        let isThere = try await replica.write { transaction in
            try transaction.finish(
                number, size: size, modified: modified, touched: touched, isOver: isOver) != nil
        }
        state.withLock { state in
            state.isDirty = false
            state.seen.size = size
            state.isWriting = !isOver
            if !isThere { state.isRemoved = true }
        }
    }

    /// Does something while nothing is written, and all that was is known; what is written next is begun anew.
    func sealed<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await gate.alone {
            try await finishAlone(isOver: true)
            return try await body()
        }
    }

    /// Makes what was written durable.
    func synchronise() async throws {
        try await finish(isOver: false)
        let file = state.withLock { $0.isRemoved || !$0.seen.isWhole ? nil : $0.file }
        try file?.synchronize()
    }

    // MARK: Names

    /// It was removed here, or another file took its place.
    func remove() {
        state.withLock { state in
            state.isRemoved = true
            // The provider may be asked for it once more, to be deleted there: its file stays as it is.
            state.isWriting = false
        }
    }

    /// Its bytes are another node's now, which was saved by way of this one.
    func move(to node: NodeID) {
        state.withLock { $0.node = node }
    }

    /// Nobody has it open any more. What nobody else can see goes.
    func discard() {
        let number = state.withLock { state -> Int64? in
            defer {
                state.file = nil
                state.hold = nil
            }
            return state.isRemoved && state.isWriting ? state.seen.file : nil
        }
        guard let number else { return }
        // What cannot be removed now is a stray, which the next start removes.
        let isNamed = (try? replica.read { try $0.isNamed(number) }) ?? true
        if !isNamed { _ = try? replica.contents.remove(number) }
    }
}
