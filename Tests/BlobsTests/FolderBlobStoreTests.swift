import BasketBlobs
import BasketSupport
import Foundation
import Synchronization
import Testing

@Suite("A folder of blobs")
struct FolderBlobStoreTests {
    private let disk = TestDisk()
    private let id = BlobID(rawValue: 1 << 63 | 5)
    private let path = "/blobs/80/8000000000005"
    private let draftPath = "/drafts/8000000000005"

    private func makeStore(reserve: Int64? = 0, openLimit: Int = 256) throws -> FolderBlobStore {
        try FolderBlobStore(
            folder: disk.folder, world: disk.world(), reserveBytes: reserve,
            openBlobLimit: openLimit)
    }

    @discardableResult
    private func put(_ id: BlobID, in store: FolderBlobStore) async throws -> BlobID {
        let draft = try await store.makeDraft(id, announcedSize: 4)
        try await draft.append([1, 2])
        try await draft.append([3, 4])
        return try await draft.seal()
    }

    @Test("makes the bytes durable before the name, and the name before it says so")
    func order() async throws {
        let store = try makeStore()
        let operations = try await disk.operations { try await put(id, in: store) }
        #expect(
            operations == [
                "create \(draftPath)", "write \(draftPath)", "write \(draftPath)",
                "synchronize \(draftPath)", "makeFolder /blobs/80", "synchronizeFolder /blobs",
                "rename \(path)", "synchronizeFolder /blobs/80",
            ])
    }

    @Test("makes a fan-out folder durable once")
    func folders() async throws {
        let store = try makeStore()
        try await put(id, in: store)
        let operations = try await disk.operations {
            try await put(BlobID(rawValue: 1 << 63 | 6), in: store)
        }
        #expect(!operations.contains("synchronizeFolder /blobs"))
        #expect(operations.last == "synchronizeFolder /blobs/80")
    }

    @Test("starts without what a crash left half written, and with everything else")
    func leftovers() async throws {
        try await put(id, in: makeStore())
        try disk.create("\(disk.folder)/drafts/0000000000001").write([1, 2, 3], at: 0)

        let store = try makeStore()

        #expect(disk.names() == [String(path.dropFirst())])
        #expect(try store.open(id).read(at: 0, count: 4) == [1, 2, 3, 4])
    }

    @Test("starts beside a folder that somebody put among the drafts")
    func foreignDraft() async throws {
        try disk.makeFolder("\(disk.folder)/drafts/@eaDir/thumbnails")
        try disk.create("\(disk.folder)/drafts/0000000000001").write([1, 2, 3], at: 0)

        let store = try makeStore()

        #expect(!disk.exists("\(disk.folder)/drafts/0000000000001"))
        #expect(disk.exists("\(disk.folder)/drafts/@eaDir/thumbnails"))
        try await put(id, in: store)
    }

    @Test(
        "lists its blobs beside what somebody else put there",
        arguments: ["file", "link", "misplaced"])
    func foreignEntry(kind: String) async throws {
        let store = try makeStore()
        let ids = [UInt64](arrayLiteral: 1, 1 << 62, 1 << 63 | 5).map { BlobID(rawValue: $0) }
        for id in ids { try await put(id, in: store) }
        let path = "\(disk.folder)/blobs/ab"
        switch kind {
        case "file": _ = try disk.create(path)
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/nowhere/at/all")
        default:
            try disk.makeFolder(path)
            _ = try disk.create("\(path)/\(ids[0])")
        }

        for limit in [1, 10] {
            var found: [BlobID] = []
            while found.count <= ids.count {
                let page = try await store.list(after: found.last, limit: limit)
                if page.isEmpty { break }
                found += page
            }
            #expect(found == ids)
        }
    }

    @Test(
        "refuses at once what has a blob's name and is no file", .timeLimit(.minutes(60)),
        arguments: ["pipe", "device", "folder"])
    func noFile(kind: String) async throws {
        let store = try makeStore(openLimit: 0)
        try await put(id, in: store)
        let path = disk.folder + path
        try disk.remove(path)
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "device":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/dev/zero")
        default: try disk.makeFolder(path)
        }

        let error = #expect(throws: BlobError.self) { try store.open(id) }
        #expect(error?.code == "blob_file_failed")
    }

    @Test(
        "leaves no file behind a draft that was discarded or forgotten", arguments: [true, false])
    func discarded(explicitly: Bool) async throws {
        let store = try makeStore()
        do {
            let draft = try await store.makeDraft(id, announcedSize: nil)
            try await draft.append([1, 2, 3])
            #expect(disk.names() == [String(draftPath.dropFirst())])
            if explicitly { await draft.discard() }
        }
        #expect(disk.names() == [])
    }

    @Test(
        "survives every operation failing once: an error, no trace, and then it works",
        arguments: [ENOSPC, EIO, EDQUOT], 0..<8)
    func everyFailure(code: Int32, position: Int) async throws {
        let store = try makeStore()
        disk.state.withLock {
            $0.writesUntilFailure = position
            $0.failure = code
        }

        let error = await #expect(throws: BlobError.self) { try await put(id, in: store) }

        #expect(error?.code == (code == EIO ? "blob_file_failed" : "insufficient_storage"))
        #expect(disk.names() == [])
        #expect(try await store.list(after: nil, limit: 10) == [])
        #expect(try await store.availableBytes() == 1 << 40)
        try await put(id, in: store)
        #expect(try store.open(id).read(at: 0, count: 4) == [1, 2, 3, 4])
    }

    @Test("has eight operations to fail: one more and nothing does")
    func untouched() async throws {
        let store = try makeStore()
        disk.state.withLock { $0.writesUntilFailure = 8 }
        try await put(id, in: store)
        #expect(disk.state.withLock { $0.writesUntilFailure } == 0)
    }

    @Test(
        "opens a blob once for many readers, and as few at a time as it may", arguments: [0, 1, 2])
    func cache(limit: Int) async throws {
        let store = try makeStore(openLimit: limit)
        let ids = (0..<3).map { BlobID(rawValue: $0) }
        for id in ids { try await put(id, in: store) }

        let opened = try await disk.operations {
            for _ in 0..<5 { _ = try store.open(ids[0]) }
            _ = try store.open(ids[1])
            _ = try store.open(ids[0])
            _ = try store.open(ids[2])
            _ = try store.open(ids[0])
        }

        // Without a cache 9; with one place each change of blob; with two, 0 stays as the last used.
        #expect(opened.count == [9, 5, 3][limit])
    }

    @Test("does not keep a removed blob open")
    func removedFromCache() async throws {
        let store = try makeStore()
        try await put(id, in: store)
        weak let file = try store.open(id).file
        #expect(file != nil)
        try await store.remove(id)
        #expect(file == nil)
    }

    @Test("gives a descriptor, for the kernel to send from")
    func descriptor() async throws {
        let store = try makeStore()
        try await put(id, in: store)
        #expect(try store.open(id).file.descriptor != nil)
    }

    @Test(
        "keeps a hundredth of the disk free, within limits",
        arguments: [
            (1 << 30, 256 << 20), (100 << 30, 1 << 30), (10 << 40, 5 << 30),
        ] as [(Int64, Int64)])
    func reserve(total: Int64, reserve: Int64) async throws {
        disk.state.withLock {
            $0.total = total
            $0.free = reserve + 10
        }
        let store = try makeStore(reserve: nil)
        #expect(try await store.availableBytes() == 10)
        disk.state.withLock {
            $0.free = reserve - 10
            $0.uptime += .seconds(1)
        }
        #expect(try await store.availableBytes() == 0)
    }

    @Test(
        "misses room when next to nothing can be written, and some more than that then",
        arguments: [(1062, 188), (1061, 189), (900, 350), (0, 1250), (1300, 0)] as [(Int64, Int64)])
    func missing(free: Int64, missing: Int64) async throws {
        disk.state.withLock { $0.free = free }
        let store = try makeStore(reserve: 1000)
        let isShort = free < 1062
        let shortage = try await store.shortage()
        #expect(shortage.isShort == isShort)
        #expect(shortage.missing == missing)
        #expect(shortage.free == free)
    }

    @Test(
        "misses room for what was refused, for an hour, and for no more than some reserves")
    func refused() async throws {
        disk.state.withLock { $0.free = 1500 }
        let store = try makeStore(reserve: 1000)
        #expect(try await !store.shortage().isShort)
        // What is written elsewhere and may have room within is no refusal yet.
        await #expect(throws: BlobError.self) { try await store.takeRoom(for: 501) }
        #expect(try await !store.shortage().isShort)
        for (wanted, missing) in [(501, 251), (600, 350), (510, 350), (1 << 40, 15750)]
            as [(Int64, Int64)]
        {
            await #expect(throws: BlobError.self) { try await store.requireRoom(for: wanted) }
            let shortage = try await store.shortage()
            #expect(shortage.isShort)
            #expect(shortage.missing == missing)
        }
        disk.state.withLock { $0.uptime += .seconds(3601) }
        #expect(try await !store.shortage().isShort)
    }

    @Test("takes a reserve of any size")
    func absurd() async throws {
        let store = try makeStore(reserve: .max)
        #expect(try await store.availableBytes() == 0)
        #expect(try await store.shortage().isShort)
    }

    @Test("counts what is written beside it, and lets what has room within use half of the reserve")
    func room() async throws {
        disk.state.withLock { $0.free = 1100 }
        let store = try makeStore(reserve: 1000)
        try await store.takeRoom(for: 90)
        await #expect(throws: BlobError.insufficientStorage(available: 10, needed: 11)) {
            try await store.takeRoom(for: 11)
        }
        try await store.takeReusedRoom(for: 500)
        await #expect(throws: BlobError.insufficientStorage(available: 10, needed: 11)) {
            try await store.takeReusedRoom(for: 11)
        }
    }

    @Test("sees that others fill the disk, even after it agreed to a size")
    func othersWrite() async throws {
        disk.state.withLock { $0.free = 1000 }
        let store = try makeStore(reserve: 100)
        let draft = try await store.makeDraft(id, announcedSize: 800)
        try await draft.append([UInt8](repeating: 0, count: 400))
        disk.state.withLock {
            $0.free = 150
            $0.uptime += .seconds(1)
        }
        await #expect(throws: BlobError.insufficientStorage(available: 50, needed: 400)) {
            try await draft.append([UInt8](repeating: 0, count: 400))
        }
        #expect(disk.names() == [])
    }

    @Test("asks the disk for its room now and then, not at every write")
    func measurements() async throws {
        let store = try makeStore()
        let draft = try await store.makeDraft(id, announcedSize: nil)
        for _ in 0..<100 { try await draft.append([1]) }
        #expect(disk.state.withLock { $0.measurements } == 1)
        disk.state.withLock { $0.uptime += .milliseconds(200) }
        try await draft.append([1])
        #expect(disk.state.withLock { $0.measurements } == 2)
        try await draft.append([UInt8](repeating: 0, count: 64 << 20))
        try await draft.append([1])
        #expect(disk.state.withLock { $0.measurements } == 3)
    }

    @Test("passes on that the folder cannot be used")
    func unusable() throws {
        disk.state.withLock {
            $0.writesUntilFailure = 0
            $0.failure = EROFS
        }
        let error = #expect(throws: BlobError.self) { try makeStore() }
        #expect(error?.code == "blob_file_failed")
    }

    @Test("draws names from the world's randomness, which sort like their text")
    func names() {
        let world = disk.world(seed: 4)
        let ids = (0..<50).map { _ in BlobID.drawn(in: world) }
        #expect(Set(ids).count == 50)
        #expect(ids.sorted().map(\.text) == ids.map(\.text).sorted())
        #expect(ids.map { BlobID(text: $0.text) } == ids)
        #expect(BlobID(text: "../etc/passwd") == nil)
    }
}
