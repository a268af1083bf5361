import BasketSupport
import Synchronization

/// Blobs in memory, with the same rules: for tests of whatever stores something in blobs.
package final class MemoryBlobStore: BlobStore {
    private struct State {
        var blobs: [BlobID: (file: MemoryFile, modified: Timestamp)] = [:]
        /// What sealed blobs and open drafts hold.
        var used: Int64 = 0
    }

    private final class Contents: Sendable {
        let state = Mutex(State())
    }

    private let contents: Contents
    private let space: SpaceGuard
    private let now: @Sendable () -> Timestamp

    /// - Parameter capacity: how many bytes fit in.
    package init(world: World, capacity: Int64 = .max) {
        let contents = Contents()
        self.contents = contents
        now = world.now
        space = SpaceGuard(reserve: 0, uptime: world.uptime) { () throws(FileError) in
            contents.state.withLock { capacity - $0.used }
        }
    }

    package func makeDraft(
        _ id: BlobID, announcedSize: Int64?
    ) async throws(BlobError) -> any BlobDraft {
        guard !contents.state.withLock({ $0.blobs.keys.contains(id) }) else {
            throw .alreadyExists(id)
        }
        let announced = max(0, announcedSize ?? 0)
        try space.announce(announced)
        return MemoryBlobDraft(id, in: self, announced: announced)
    }

    package func open(_ id: BlobID) throws(BlobError) -> Blob {
        let (file, _) = try found(id)
        return Blob(id: id, size: Int64(file.bytes.count), file: file)
    }

    package func facts(of id: BlobID) async throws(BlobError) -> BlobFacts {
        let (file, modified) = try found(id)
        return BlobFacts(size: Int64(file.bytes.count), modified: modified)
    }

    package func remove(_ id: BlobID) async throws(BlobError) {
        contents.state.withLock { state in
            guard let (file, _) = state.blobs.removeValue(forKey: id) else { return }
            state.used -= Int64(file.bytes.count)
        }
        space.forget()
    }

    package func list(after id: BlobID?, limit: Int) async throws(BlobError) -> [BlobID] {
        let all = contents.state.withLock { $0.blobs.keys.sorted() }
        return Array(all.filter { candidate in id.map { candidate > $0 } ?? true }.prefix(limit))
    }

    package func availableBytes() async throws(BlobError) -> Int64 {
        try space.available()
    }

    package func shortage() async throws(BlobError) -> DiskShortage {
        try space.shortage()
    }

    package func requireRoom(for bytes: Int64) async throws(BlobError) {
        try space.ask(for: bytes)
    }

    package func takeRoom(for bytes: Int64) async throws(BlobError) {
        try space.take(bytes, hasRoomWithin: false)
    }

    package func takeReusedRoom(for bytes: Int64) async throws(BlobError) {
        try space.take(bytes, hasRoomWithin: true)
    }

    private func found(_ id: BlobID) throws(BlobError) -> (MemoryFile, Timestamp) {
        guard let blob = contents.state.withLock({ $0.blobs[id] }) else { throw .noSuchBlob(id) }
        return blob
    }
}

// What a draft asks of its store.
extension MemoryBlobStore {
    fileprivate func take(_ count: Int64, announced: Int64) throws(BlobError) {
        try space.spend(count, announced: announced, after: 0)
        contents.state.withLock { $0.used += count }
    }

    fileprivate func seal(_ id: BlobID, _ bytes: [UInt8], announced: Int64) {
        space.withdraw(announced)
        let blob = (file: MemoryFile(bytes: bytes), modified: now())
        contents.state.withLock { $0.blobs[id] = blob }
    }

    fileprivate func discard(_ count: Int64, announced: Int64) {
        space.withdraw(announced)
        contents.state.withLock { $0.used -= count }
        space.forget()
    }
}

private actor MemoryBlobDraft: BlobDraft {
    private let id: BlobID
    private let store: MemoryBlobStore
    private var bytes: [UInt8] = []
    private var announced: Int64
    private var hasEnded = false

    init(_ id: BlobID, in store: MemoryBlobStore, announced: Int64) {
        self.id = id
        self.store = store
        self.announced = announced
    }

    deinit {
        if !hasEnded { store.discard(Int64(bytes.count), announced: announced) }
    }

    var size: Int64 { Int64(bytes.count) }

    func append(_ more: [UInt8]) throws(BlobError) -> Int64 {
        guard !hasEnded else { throw .draftEnded(id) }
        let expected = min(announced, Int64(more.count))
        do {
            try store.take(Int64(more.count), announced: expected)
        } catch {
            discard()
            throw error
        }
        announced -= expected
        defer { bytes += more }
        return size
    }

    func seal() throws(BlobError) -> BlobID {
        guard !hasEnded else { throw .draftEnded(id) }
        hasEnded = true
        store.seal(id, bytes, announced: announced)
        return id
    }

    func discard() {
        guard !hasEnded else { return }
        hasEnded = true
        store.discard(size, announced: announced)
    }
}

/// What never changes needs no lock.
private final class MemoryFile: File {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var descriptor: Int32? { nil }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        Array(bytes.dropFirst(Int(offset)).prefix(count))
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        // EBADF, as for any file that was opened for reading.
        throw FileError("write", "a sealed blob", code: 9)
    }

    func synchronize() throws(FileError) {}

    func size() throws(FileError) -> Int64 { Int64(bytes.count) }
}
