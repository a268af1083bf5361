import BasketBlobs
import BasketSupport
import Synchronization
import Testing

/// The stores there are. What one of them promises, all do.
enum BlobStoreKind: CaseIterable {
    case folder, memory

    /// - Parameter capacity: how much may be written; it does not shrink by itself in the folder.
    func make(_ disk: TestDisk, capacity: Int64 = 1 << 30) throws -> any BlobStore {
        disk.state.withLock { $0.free = capacity }
        return switch self {
        case .folder:
            try FolderBlobStore(folder: disk.folder, world: disk.world(), reserveBytes: 0)
        case .memory: MemoryBlobStore(world: disk.world(), capacity: capacity)
        }
    }
}

@Suite("Every blob store")
struct BlobStoreTests {
    private let disk = TestDisk()

    private func put(
        _ pieces: [[UInt8]], as number: UInt64, in store: any BlobStore
    ) async throws -> BlobID {
        let draft = try await store.makeDraft(BlobID(rawValue: number), announcedSize: nil)
        for piece in pieces { try await draft.append(piece) }
        return try await draft.seal()
    }

    @Test("gives back what was put, whole or in parts", arguments: BlobStoreKind.allCases)
    func roundTrip(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        let draft = try await store.makeDraft(BlobID(rawValue: 7), announcedSize: 6)
        #expect(try await draft.append([1, 2, 3, 4]) == 0)
        #expect(try await draft.append([]) == 4)
        #expect(try await draft.append([5, 6]) == 4)
        #expect(await draft.size == 6)
        let id = try await draft.seal()

        let blob = try store.open(id)

        #expect(id == BlobID(rawValue: 7))
        #expect(blob.size == 6)
        #expect(try blob.read(at: 0, count: 6) == [1, 2, 3, 4, 5, 6])
        #expect(try blob.read(at: 3, count: 2) == [4, 5])
        #expect(try blob.read(at: 6, count: 0) == [])
        #expect(try await store.facts(of: id).size == 6)
    }

    @Test("keeps an empty blob", arguments: BlobStoreKind.allCases)
    func empty(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        let id = try await put([], as: 1, in: store)
        #expect(try store.open(id).size == 0)
    }

    @Test(
        "refuses to read what a blob does not have", arguments: BlobStoreKind.allCases,
        [(0, 4), (3, 1), (-1, 1), (Int64.max, 1), (1, -1)])
    func beyond(kind: BlobStoreKind, range: (offset: Int64, count: Int)) async throws {
        let store = try kind.make(disk)
        let blob = try await store.open(put([[1, 2, 3]], as: 1, in: store))
        let error = #expect(throws: BlobError.self) {
            try blob.read(at: range.offset, count: range.count)
        }
        #expect(error?.code == "blob_truncated")
    }

    @Test(
        "does not know a draft, a discarded one, or a stranger", arguments: BlobStoreKind.allCases)
    func unknown(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        let id = BlobID(rawValue: 1)
        let draft = try await store.makeDraft(id, announcedSize: nil)
        try await draft.append([1])

        #expect(throws: BlobError.noSuchBlob(id)) { try store.open(id) }
        await #expect(throws: BlobError.noSuchBlob(id)) { try await store.facts(of: id) }
        #expect(try await store.list(after: nil, limit: 10) == [])
        await draft.discard()
        #expect(throws: BlobError.noSuchBlob(id)) { try store.open(id) }
    }

    @Test("takes nothing for a draft that has ended", arguments: BlobStoreKind.allCases)
    func ended(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        let id = BlobID(rawValue: 1)
        let sealed = try await store.makeDraft(id, announcedSize: nil)
        try await sealed.seal()
        let discarded = try await store.makeDraft(BlobID(rawValue: 2), announcedSize: nil)
        await discarded.discard()

        await sealed.discard()
        await discarded.discard()

        await #expect(throws: BlobError.draftEnded(id)) { try await sealed.append([1]) }
        await #expect(throws: BlobError.draftEnded(id)) { try await sealed.seal() }
        await #expect(throws: BlobError.draftEnded(BlobID(rawValue: 2))) {
            try await discarded.append([1])
        }
        #expect(try await store.list(after: nil, limit: 10) == [id])
    }

    @Test("refuses a name that is taken", arguments: BlobStoreKind.allCases)
    func taken(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        let id = try await put([[1]], as: 1, in: store)
        await #expect(throws: BlobError.alreadyExists(id)) {
            try await store.makeDraft(id, announcedSize: nil)
        }
        #expect(try store.open(id).read(at: 0, count: 1) == [1])
    }

    @Test("removes a blob, which its readers finish", arguments: BlobStoreKind.allCases)
    func removal(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        let id = try await put([[1, 2]], as: 1, in: store)
        let open = try store.open(id)

        try await store.remove(id)
        try await store.remove(id)

        #expect(try open.read(at: 0, count: 2) == [1, 2])
        #expect(throws: BlobError.noSuchBlob(id)) { try store.open(id) }
        #expect(try await store.list(after: nil, limit: 10) == [])
    }

    @Test("lists all blobs in their order, page by page", arguments: BlobStoreKind.allCases)
    func listing(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        var generator = SeededGenerator(seed: 3)
        var numbers = (0..<30).map { _ in generator.next() }
        numbers += [0, 1, UInt64.max, UInt64.max - 1]  // Neighbours in one folder, at both ends.
        for number in numbers { _ = try await put([[1]], as: number, in: store) }

        var listed: [BlobID] = []
        while true {
            let page = try await store.list(after: listed.last, limit: 7)
            if page.isEmpty { break }
            #expect(page.count <= 7)
            listed += page
        }

        #expect(listed == numbers.sorted().map(BlobID.init(rawValue:)))
    }

    @Test(
        "refuses what does not fit, at once when it is announced", arguments: BlobStoreKind.allCases
    )
    func room(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk, capacity: 100)
        let first = try await store.makeDraft(BlobID(rawValue: 1), announcedSize: 60)
        #expect(try await store.availableBytes() == 40)
        await #expect(throws: BlobError.insufficientStorage(available: 40, needed: 41)) {
            try await store.makeDraft(BlobID(rawValue: 2), announcedSize: 41)
        }
        await #expect(throws: BlobError.insufficientStorage(available: 40, needed: 41)) {
            try await store.requireRoom(for: 41)
        }
        let second = try await store.makeDraft(BlobID(rawValue: 2), announcedSize: nil)
        await #expect(throws: BlobError.insufficientStorage(available: 40, needed: 41)) {
            try await second.append([UInt8](repeating: 0, count: 41))
        }
        await #expect(throws: BlobError.draftEnded(BlobID(rawValue: 2))) { try await second.seal() }

        try await first.append([UInt8](repeating: 0, count: 60))
        #expect(try await first.seal() == BlobID(rawValue: 1))
    }

    @Test(
        "gives back the room that a draft announced", arguments: BlobStoreKind.allCases,
        ["sealed", "discarded", "forgotten", "failed"])
    func givesBack(kind: BlobStoreKind, end: String) async throws {
        let store = try kind.make(disk, capacity: 100)
        do {
            let draft = try await store.makeDraft(BlobID(rawValue: 1), announcedSize: 60)
            #expect(try await store.availableBytes() == 40)
            switch end {
            case "sealed": try await draft.seal()
            case "discarded": await draft.discard()
            case "failed": _ = try? await draft.append([UInt8](repeating: 0, count: 101))
            default: break
            }
        }
        #expect(try await store.availableBytes() == 100)
    }

    @Test("is used by many at once", arguments: BlobStoreKind.allCases)
    func concurrent(kind: BlobStoreKind) async throws {
        let store = try kind.make(disk)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<UInt64(40) {
                group.addTask {
                    let draft = try await store.makeDraft(
                        BlobID(rawValue: number), announcedSize: 3000)
                    for _ in 0..<3 {
                        try await draft.append([UInt8](repeating: UInt8(number), count: 1000))
                    }
                    if number.isMultiple(of: 4) {
                        await draft.discard()
                        return
                    }
                    let id = try await draft.seal()
                    let blob = try store.open(id)
                    #expect(
                        try blob.read(at: 0, count: 3000)
                            == [UInt8](repeating: UInt8(number), count: 3000))
                    if number.isMultiple(of: 2) { try await store.remove(id) }
                }
            }
            try await group.waitForAll()
        }
        let left = try await store.list(after: nil, limit: 100).map(\.rawValue)
        #expect(left == (0..<UInt64(40)).filter { !$0.isMultiple(of: 2) })
        #expect(try await store.availableBytes() > 1 << 29)
    }
}
