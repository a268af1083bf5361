import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

@Suite(
    "A replica on a disk that is full", .timeLimit(.minutes(60)),
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"))
struct FullDiskTests {
    private let disk: SmallDisk
    /// How many files keep room.
    private var parts: Int {
        get throws {
            try LinuxFileSystem().list(disk.path).count { $0.hasPrefix("ballast") }
        }
    }

    private static let editor = Program(name: "editor")

    init() throws { disk = try SmallDisk(mebibytes: 24) }

    private func open() async throws -> Replica {
        try await Replica(
            folder: disk.path, rule: .posix, boot: UUID().uuidString,
            world: World.live(log: .silent)
        ) { path in try await GroupCommitWriter { try Replica.openConnection(path) } }
    }

    @Test("starts, with what it kept for that, and keeps as much again when there is room")
    func start() async throws {
        let first = try await open()
        _ = try await first.write { try $0.make("a", in: .root, kind: .folder) }
        first.close()
        let whole = try parts
        try disk.fill()

        let replica = try await open()
        #expect(try replica.read { try $0.child("a", of: .root) } != nil)
        let left = try parts
        #expect(left > 0 && left < whole)
        // Nobody takes what others need.
        try await replica.keepBallast()
        #expect(try parts == left)
        replica.close()
        // What the first start did not need is there for the next, whatever others have taken meanwhile.
        for _ in 0..<2 {
            try disk.fill()
            try await open().close()
        }

        try disk.empty()
        let last = try await open()
        #expect(try parts == whole)
        last.close()
    }

    @Test("keeps it from everybody else, and needs none of it to have what was written on the disk")
    func crowd() async throws {
        let replica = try await Replica(
            folder: disk.path, rule: .posix, boot: "1", world: World.live(log: .silent)
        ) { path in
            try await GroupCommitWriter(borrowsThreads: true) { try Replica.openConnection(path) }
        }
        defer { replica.close() }
        let whole = try parts
        let threads = ThreadPool(name: "late", threads: 1)
        try await withTaskExecutorPreference(threads) {
            await Task.yield()
            _ = try await replica.writeSoon { try $0.make("late", in: .root, kind: .folder) }
        }
        try disk.fill()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        count += 1
                        let name = "\(number) \(count)"
                        _ = try? await replica.write {
                            try $0.make(name, in: .root, kind: .folder)
                        }
                    }
                }
            }
            while try await replica.hasRoomForOne() { await Task.yield() }
            try await replica.makeCommitsDurable()
            #expect(try parts == whole)
            // Many small things, together less than what is kept.
            try await replica.makeRoom { transaction in
                for number in 0..<50 {
                    _ = try transaction.make("room \(number)", in: .root, kind: .folder)
                }
            }
            group.cancelAll()
        }
        #expect(try replica.read { try $0.child("room 49", of: .root) } != nil)
    }

    @Test("does not start where nothing was kept for that")
    func withoutBallast() async throws {
        try await open().close()
        for name in try LinuxFileSystem().list(disk.path) where name.hasPrefix("ballast") {
            try LinuxFileSystem().remove(disk.path + "/" + name)
        }
        try disk.fill()
        await #expect(throws: (any Error).self) { _ = try await open() }
        try disk.empty()
        try await open().close()
    }

    /// Whether a person cannot go on making folders.
    private func isFull(for host: DomainHost) async -> Bool {
        do {
            for number in 0..<10_000 {
                _ = try await host.make("folder \(number)", in: .root, kind: .folder)
            }
            return false
        } catch {
            return (error as? SQLiteError)?.isFull == true
        }
    }

    @Test(
        "shows of a file what was written to it, also where that cannot be noted when it is closed")
    func closing() async throws {
        try await FolderStage.play(on: disk.path) { stage in
            let (host, replica) = (stage.host, stage.host.replica)
            let file = try await host.create("letter", in: .root, by: Self.editor)
            try await file.write(Array("dear".utf8), at: 0)
            let folder = replica.contents.folder + "/.."
            for name in try LinuxFileSystem().list(folder) where name.hasPrefix("ballast") {
                try LinuxFileSystem().remove(folder + "/" + name)
            }
            try disk.fill()
            #expect(await isFull(for: host))
            // What is too little for a folder may be enough for that.
            try disk.fill()
            await #expect(throws: (any Error).self) { try await file.close() }

            #expect(try replica.read { try $0.node(file.node)?.size } == 0)
            #expect(try host.written(to: file.node)?.size == 4)
            let reader = try await host.open(file.node, for: .reading, by: Self.editor)
            #expect(try reader.size == 4)
            try await reader.close()
            let again = try await host.open(file.node, for: .writing, by: Self.editor)
            try await again.write(Array(" reader".utf8), at: 4)
            await #expect(throws: (any Error).self) { try await again.close() }

            try disk.empty()
            // Soon, and without anybody asking for it.
            func isNoted() throws -> Bool {
                try host.written(to: file.node) == nil && !host.openContents.isOpen(file.node)
            }
            for _ in 0..<600 where try !isNoted() {
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try replica.read { try $0.node(file.node)?.size } == 11)
            #expect(!host.openContents.isOpen(file.node))
            try await stage.settle()
            #expect(try stage.there()["letter"] == "dear reader")
        }
    }

    @Test("lets go of a content that somebody does not want here, and so has room again")
    func eviction() async throws {
        var settings = HostSettings()
        // Nothing goes by itself.
        settings.contentLimits.leastFree = 0
        try await FolderStage.play(on: disk.path, settings: settings) { stage in
            try stage.put("large", String(repeating: "a", count: 4 << 20))
            try await stage.settle()
            _ = try await stage.here()
            let file = try await stage.node("large")
            let replica = stage.host.replica
            #expect(try replica.read { try $0.node(file)?.residence } == .whole)
            try disk.fill()
            // What others write takes nothing of what is kept for this.
            #expect(await isFull(for: stage.host))

            try await stage.host.evict(file)
            try await replica.removeDiscarded()
            #expect(try replica.read { try $0.node(file)?.residence } == .dataless)
            #expect(try LinuxFileSystem().availableBytes(at: disk.path) > 4 << 20)
            _ = try await stage.host.make("another folder", in: .root, kind: .folder)
        }
    }
}

extension Replica {
    fileprivate func hasRoomForOne() async throws -> Bool {
        let name = UUID().uuidString
        do {
            _ = try await write { try $0.make(name, in: .root, kind: .folder) }
            return true
        } catch let error as SQLiteError where error.isFull {
            return false
        }
    }
}
