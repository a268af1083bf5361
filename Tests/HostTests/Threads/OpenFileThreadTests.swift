import BasketDatabase
import BasketSupport
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

/// On threads of the machine, with its clock and its disk: what a simulation on one thread cannot show.
@Suite("A file that many programs have open at once", .timeLimit(.minutes(60)))
struct OpenFileThreadTests {
    private static let block = 64
    private static let writers = 4
    private static let rounds = 60

    @Test("has what each of them wrote, here and at the provider, and is one file")
    func writing() async throws {
        try await Self.withHost { host, shelf in
            let file = try await host.create("a", in: .root, by: Program(name: "maker"))
            let id = file.node
            try await file.resize(to: Int64(Self.writers * Self.block))
            try await file.close()

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<Self.writers {
                    group.addTask { try await Self.write(as: number, to: id, host) }
                }
                group.addTask { try await Self.read(id, host) }
                group.addTask { await Self.disturb(id, host) }
                group.addTask { try await Self.tidy(host) }
                try await group.waitForAll()
            }
            try await host.waitForRest()

            let expected = (0..<Self.writers).flatMap { number in
                [UInt8](repeating: Self.last(number), count: Self.block)
            }
            #expect(shelf.all.map { Array($0.bytes) } == [expected])
            #expect(shelf.all.allSatisfy { $0.version > 1 }, "it was never sent meanwhile")
            let children = try host.replica.read { try $0.children(of: .root, limit: 10) }
            #expect(children.map(\.id) == [id])
            let reader = try await host.open(id, for: .reading, by: Program(name: "reader"))
            #expect(try await reader.read(at: 0, count: 1000) == expected)
            try await reader.close()
            #expect(!host.openContents.isOpen(id))
            #expect(shelf.changedOnTheWay == 0)
        }
    }

    @Test("is there once, however many make and save it in the usual way")
    func saving() async throws {
        try await Self.withHost { host, shelf in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<Self.writers {
                    group.addTask { try await Self.save(as: number, host) }
                }
                try await group.waitForAll()
            }
            try await host.waitForRest()
            let children = try host.replica.read { try $0.children(of: .root, limit: 100) }
            #expect(children.compactMap(\.trees.local?.name) == ["a"])
            let reader = try await host.open(
                try #require(children.first?.id), for: .reading, by: Program(name: "reader"))
            let bytes = try await reader.read(at: 0, count: 1000)
            try await reader.close()
            #expect(shelf.all.filter { $0.filename == "a" }.map { Array($0.bytes) } == [bytes])
            #expect(bytes.count == Self.block && Set(bytes).count == 1)
            #expect(shelf.changedOnTheWay == 0)
        }
    }

    @Test("is copied on threads of its own, where it is written anew")
    func copying() async throws {
        let threads = CountingThreads()
        try await Self.withHost(blocking: threads) { host, shelf in
            let file = try await host.create("a", in: .root, by: Program(name: "maker"))
            try await file.write([1, 2, 3, 4], at: 0)
            try await file.close()
            try await host.waitForRest()
            // The provider has what is there: it stays as it is.
            let writer = try await host.open(file.node, for: .writing, by: Program(name: "editor"))
            let before = threads.count
            try await writer.write([5], at: 1)
            #expect(threads.count > before)
            #expect(try await writer.read(at: 0, count: 10) == [1, 5, 3, 4])
            try await writer.close()
            try await host.waitForRest()
            #expect(shelf.all.map { Array($0.bytes) } == [[1, 5, 3, 4]])
        }
        threads.stop()
    }

    // MARK: Programs

    private static func last(_ number: Int) -> UInt8 { UInt8(number * rounds + rounds - 1) }

    /// Writes its own part of the file over and over, and finds there what it wrote.
    private static func write(as number: Int, to id: NodeID, _ host: DomainHost) async throws {
        let place = Int64(number * block)
        for round in 0..<rounds {
            let bytes = [UInt8](repeating: UInt8(number * rounds + round), count: block)
            let file = try await host.open(id, for: .writing, by: Program(name: "writer"))
            try await file.write(bytes, at: place)
            #expect(try await file.read(at: place, count: block) == bytes)
            if round % 3 == 0 { try await file.synchronise() }
            try await file.close()
            // Long enough for what is written to be sent, and not for that to end.
            for _ in 0..<number * 20 { await Task.yield() }
        }
    }

    private static func read(_ id: NodeID, _ host: DomainHost) async throws {
        for _ in 0..<rounds * 2 {
            let file = try await host.open(id, for: .reading, by: Program(name: "reader"))
            #expect(try await file.read(at: 0, count: 1000).count == writers * block)
            try await file.close()
        }
    }

    /// Has its bytes go again and again. Most often somebody has it open, or it is not sent yet.
    private static func disturb(_ id: NodeID, _ host: DomainHost) async {
        for round in 0..<rounds * 2 {
            try? await host.evict(id)
            _ = try? await host.setAttributes(of: id) { $0.tags = Data([UInt8(round)]) }
            await Task.yield()
        }
    }

    /// Looks again and again for files that nobody names, or needs any more.
    private static func tidy(_ host: DomainHost) async throws {
        for _ in 0..<rounds {
            try await host.replica.removeStrays()
            try await host.replica.removeDiscarded()
            await Task.yield()
        }
    }

    /// Writes a file beside it, which then takes its name.
    private static func save(as number: Int, _ host: DomainHost) async throws {
        for round in 0..<rounds / 4 {
            let draft = try await host.create(
                "draft \(number)-\(round)", in: .root, by: Program(name: "editor"))
            try await draft.write([UInt8](repeating: UInt8(number), count: block), at: 0)
            try await host.move(draft.node, to: .root, as: "a", replaces: true)
            try await draft.close()
        }
    }

    // MARK: The host

    private static func withHost(
        blocking: (any TaskExecutor)? = nil,
        _ body: (DomainHost, ShelfExtension) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var live = World.live(log: .silent)
        if let blocking { live.blocking = blocking }
        let world = live
        try world.files.makeFolder(folder)
        let replica = try await Replica(folder: folder, rule: .posix, boot: "1", world: world) {
            path in
            try await GroupCommitWriter(borrowsThreads: true) {
                try Replica.openConnection(path)
            }
        }
        let shelf = ShelfExtension(folder: folder)
        var settings = HostSettings()
        settings.holdsManyRemovals = false
        let host = DomainHost(
            replica: replica, provider: shelf, world: world, settings: settings)
        let running = Task { await host.run() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(host, shelf))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        replica.close()
        try result.get()
    }
}
