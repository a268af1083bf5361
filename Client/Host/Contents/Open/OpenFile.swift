import BasketDatabase
import BasketSupport
import FileProviderReplica
import Synchronization

/// A file that one program has open.
package final class OpenFile: Sendable {
    private let host: DomainHost
    private let content: OpenContent
    private let program: Program
    private let isWriter: Bool
    /// The node that was opened.
    private let opened: NodeID
    /// As it was when it was made with this; nil for one that was there before.
    package let made: StoredNode?
    /// Whether bytes are brought here for it.
    private let isMaterialising: Bool
    private let state = Mutex(
        (ahead: ReadAhead(), isRead: false, isWanted: false, isClosed: false))

    init(
        _ content: OpenContent, host: DomainHost, program: Program, isWriter: Bool,
        isMaterialising: Bool, made: StoredNode?
    ) {
        self.content = content
        self.host = host
        self.program = program
        self.isWriter = isWriter
        self.isMaterialising = isMaterialising
        self.made = made
        opened = content.node
    }

    /// The node whose content it is: another one after a program has saved the file by way of a new one.
    package var node: NodeID { content.node }

    package var isForWriting: Bool { isWriter }

    /// Whether it was removed here: what is written to it, nobody else will see.
    package var isRemoved: Bool { content.isRemoved }

    /// What it shows.
    package var seen: SeenContent { content.state.withLock { $0.seen } }

    /// The same once more, for somebody who was given it: it need not have a name.
    /// - Returns: nil where nobody has it open any more.
    package func again(for access: FileAccess, by program: Program) -> OpenFile? {
        guard host.openContents.addUser(of: content, isWriter: access != .reading) else {
            return nil
        }
        return host.open(content, for: access, by: program)
    }

    /// Does something at a moment at which its content is a node's, and becomes no other one's; nothing where it is none's.
    package func whileHeld(_ body: (NodeID) -> Void) async throws {
        while !content.gate.enter() { try await content.gate.waitUntilOpen() }
        defer { content.gate.leave() }
        if !content.isRemoved { body(content.node) }
    }

    /// Whether both show the same, whatever is written to one of them.
    package func isSame(as other: OpenFile) -> Bool { content === other.content }

    /// Whether whoever opens the file now reads the same.
    package var isCurrent: Bool { host.openContents.isCurrent(content) }

    /// As it is now, with all that was written.
    package var size: Int64 { get throws { try content.size } }

    // MARK: Reading

    /// Bytes that are here; nil when they have to be waited for.
    package func readNow(at offset: Int64, count: Int) throws -> [UInt8]? {
        let range = try range(at: offset, count: count)
        if range.isEmpty { return [] }
        noteRead(range)
        return try content.source(of: range)?.read(at: offset, count: range.count)
    }

    package func read(at offset: Int64, count: Int) async throws -> [UInt8] {
        let range = try range(at: offset, count: count)
        guard let file = try await source(of: range) else { return [] }
        return try file.read(at: offset, count: range.count)
    }

    /// A file in which the bytes of a range are, at their place, once they are here; nil for no bytes.
    ///
    /// - Throws: `LocalError.dataless` when nothing is brought here for the program; `LocalError.stale` when the
    ///   file has been replaced at the provider, and what was there before is nowhere any more.
    package func source(of range: Range<Int64>) async throws -> (any File)? {
        if range.isEmpty { return nil }
        noteRead(range)
        while true {
            if let file = content.source(of: range) { return file }
            try Task.checkCancellation()
            let isNodes = try content.refresh()
            let size = try content.size
            guard range.lowerBound < size else { return nil }
            // Behind the end there is nothing to wait for.
            let wanted = range.clamped(to: 0..<size)
            if let file = content.source(of: wanted) { return file }
            guard isMaterialising else { throw LocalError.dataless }
            let plan = state.withLock { $0.ahead.plan(for: wanted, of: size, host.settings) }
            guard isNodes else {
                try await host.calls.whenSettled {
                    try await host.detached.fetch(plan.range, of: content)
                }
                continue
            }
            if plan.isAll, isFirstWish() { await host.want(content.node) }
            try await unlessReplaced {
                try await host.materialise(
                    wanted, ahead: plan.range, of: content.node, by: program)
            }
        }
    }

    /// The file, if the bytes of a range are in it now; nil where they would have to be waited for.
    package func sourceNow(of range: Range<Int64>) throws -> (any File)? {
        if let file = content.source(of: range) { return file }
        try content.refresh()
        return content.source(of: range)
    }

    /// Who does not want all of it any more, and says so, is not asked again.
    private func isFirstWish() -> Bool {
        state.withLock { state in
            defer { state.isWanted = true }
            return !state.isWanted
        }
    }

    /// Whoever reads a folder's files one after another goes on with the next ones.
    private func noteRead(_ range: Range<Int64>) {
        guard isMaterialising else { return }
        let isFirst = state.withLock { state in
            state.ahead.note(range, host.settings)
            defer { state.isRead = true }
            return !state.isRead
        }
        if isFirst { host.noteRead(of: content, by: program) }
    }

    private func range(at offset: Int64, count: Int) throws -> Range<Int64> {
        let size = try content.size
        let start = min(max(0, offset), size)
        return start..<start + min(Int64(max(0, count)), size - start)
    }

    // MARK: Writing

    /// - Returns: nil when it has to be waited for: then it is done once more, by way of that.
    package func changeNow<Result>(
        _ body: (any ChangeableFile) throws -> Result
    ) throws -> Result? {
        do {
            return try changeAtOnce(body)
        } catch let error as FileError where error.isOutOfSpace {
            // There may be room once it has been waited for.
            return nil
        }
    }

    private func changeAtOnce<Result>(
        _ body: (any ChangeableFile) throws -> Result
    ) throws -> Result? {
        guard isWriter else { throw LocalError.notForWriting }
        return try content.change(at: host.world.uptime(), host.world.now(), body)
    }

    /// Does something to the file, all of whose bytes are here then. Where the disk is full, contents that can be
    /// fetched again give way first; the body is done once more then, so that it has to do the same both times.
    /// - Parameter keepsBytes: false when nothing of what is there is to stay.
    package func change<Result>(
        keepsBytes: Bool = true, _ body: (any ChangeableFile) throws -> Result
    ) async throws -> Result {
        do {
            return try await changeOnce(keepsBytes, body)
        } catch let error where Self.isOutOfSpace(error) {
            // Only a copy takes as much as the file.
            let isInPlace = content.state.withLock { $0.isWriting }
            let copied = isInPlace ? 0 : try content.size
            try await host.room.makeForWriting(copied)
            return try await changeOnce(keepsBytes, body)
        }
    }

    private static func isOutOfSpace(_ error: any Error) -> Bool {
        switch error {
        case let error as FileError: error.isOutOfSpace
        case let error as SQLiteError: error.isFull
        default: false
        }
    }

    private func changeOnce<Result>(
        _ keepsBytes: Bool, _ body: (any ChangeableFile) throws -> Result
    ) async throws -> Result {
        while true {
            if let result = try changeAtOnce(body) { return result }
            try await content.gate.waitUntilOpen()
            if let result = try changeAtOnce(body) { return result }
            if keepsBytes { try await makeWhole() }
            let node = content.node
            try await host.openContents.begin(content, keepsBytes: keepsBytes)
            if content.node != node { try await host.wake([node]) }
        }
    }

    package func write(_ bytes: [UInt8], at offset: Int64) async throws {
        try await change { try $0.write(bytes, at: offset) }
    }

    /// Writes behind the end, wherever that is by then.
    /// - Returns: where that was, and how many of the bytes are there: where the disk has room for some of them, whoever
    ///   writes goes on with the rest. Told of an error, they would write all of them once more.
    @discardableResult
    package func append(_ bytes: [UInt8]) async throws -> (start: Int64, count: Int) {
        // Where some of it was written before the disk was full, and how far.
        let failed = Mutex<(start: Int64, end: Int64)?>(nil)
        do {
            return (try await append(bytes, failed), bytes.count)
        } catch {
            guard let part = failed.withLock({ $0 }), part.end > part.start,
                part.end - part.start < bytes.count
            else { throw error }
            return (part.start, Int(part.end - part.start))
        }
    }

    private func append(
        _ bytes: [UInt8], _ failed: borrowing Mutex<(start: Int64, end: Int64)?>
    ) async throws -> Int64 {
        try await change { file in
            try content.appending.withLock { _ in
                let end = try file.size()
                // Unless somebody else has written behind it, it goes over the same place once more.
                let start = failed.withLock { $0?.end == end ? $0?.start : nil } ?? end
                do {
                    try file.write(bytes, at: start)
                } catch {
                    let end = try file.size()
                    failed.withLock { $0 = (start, end) }
                    throw error
                }
                return start
            }
        }
    }

    /// Whoever has it open may have seen all of it, though nobody has asked here for any.
    package func noteSeen() {
        content.noteSeen()
    }

    package func resize(to size: Int64) async throws {
        try await change(keepsBytes: size > 0) { try $0.resize(to: size) }
    }

    private func makeWhole() async throws {
        while true {
            let isNodes = try content.refresh()
            let size = try content.size
            if size == 0 || content.source(of: 0..<size) != nil { return }
            guard isMaterialising else { throw LocalError.dataless }
            guard isNodes else {
                try await host.calls.whenSettled {
                    try await host.detached.fetch(0..<size, of: content)
                }
                continue
            }
            try await unlessReplaced {
                try await host.materialise(content.node, by: program)
            }
        }
    }

    /// Brings bytes of the node here. If that has another content by now, those of this one are brought otherwise.
    private func unlessReplaced(_ body: () async throws -> Void) async throws {
        do {
            try await body()
            try await requireFile()
        } catch LocalError.stale {
            guard try !content.refresh() else { throw LocalError.stale }
        } catch LocalError.notFound {
            // It was removed meanwhile: who has it open reads on.
            guard try !content.refresh() else { throw LocalError.notFound }
        }
    }

    /// Bytes that are said to be here, and whose file is not there, are fetched again, or are nowhere.
    private func requireFile() async throws {
        try Task.checkCancellation()
        let id = content.node
        let replica = host.replica
        guard let seen = try replica.read({ try $0.content(of: id) }), seen.isWhole, seen.size > 0
        else { return }
        if !content.shows(seen) {
            // What it was is fetched otherwise.
            guard try content.refresh(), content.shows(seen) else { return }
        }
        guard let file = seen.file, try !replica.contents.isThere(file) else { return }
        guard try await replica.write({ try $0.loseContent(of: id, in: file) }) else {
            throw LocalError.stale
        }
    }

    // MARK: Afterwards

    /// Returns when everything that was written is on the disk.
    package func synchronise() async throws {
        try await content.synchronise()
    }

    package func close() async throws {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        if isWriter { host.presence.end(opened) }
        try await host.close(content, isWriter: isWriter)
    }
}
