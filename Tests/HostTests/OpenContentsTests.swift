import BasketDatabase
import BasketSupport
import Foundation
import Synchronization
import Testing

@testable import FileProviderHost
@testable import FileProviderReplica

/// To a kernel, what several programs have open is one file only if it is one thing here, too: with two, each would have a
/// lock and pages of its own.
@Suite("Programs that open one file", .timeLimit(.minutes(1)))
struct OpenContentsTests {
    /// Lets somebody do something when a change can be seen, and who has made it does not know yet.
    private struct HaltingWriter: DatabaseWriter {
        let writer: InlineWriter
        let halt: @Sendable () async throws -> Void

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (Connection) throws -> Result
        ) async throws -> Result {
            let result = try await writer.write(body)
            try await halt()
            return result
        }

        func stop() {}
    }

    /// Its threads may wait for others.
    private static let threads = ThreadPool(name: "opening", threads: 2)

    /// A file of the provider's, all of which is here.
    private static func makeFile(_ replica: Replica) async throws -> NodeID {
        let number = try await replica.nextFile()
        try replica.contents.create(number).write(Array("text".utf8), at: 0)
        return try await replica.write { transaction in
            let id = try transaction.make("file", in: .root, kind: .file)
            _ = try transaction.update(id) { node in
                node.trees.local?.content = .version(Data("1".utf8))
                (node.file, node.size, node.residence) = (number, 4, .whole)
            }
            return id
        }
    }

    @Test("have the same open, also where one of them has begun to write just then")
    func sameMoment() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let halt = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let replica = try await place.open { writer in
            HaltingWriter(writer: writer) { try await halt.withLock { $0 }?() }
        }
        defer { replica.close() }
        let id = try await Self.makeFile(replica)
        let contents = OpenContents(
            replica: replica, world: replica.world, settings: HostSettings())

        let first = try await contents.open(id, isWriter: true)
        let second = Mutex<OpenContent?>(nil)
        halt.withLock { halt in
            halt = {
                // What is being named can be found from the second commit on.
                guard try replica.read({ try $0.content(of: id)?.content.isEdit }) == true
                else { return }
                #expect(contents.isCurrent(first))
                let opened = try await contents.open(id, isWriter: true)
                second.withLock { $0 = opened }
            }
        }
        try await contents.begin(first, keepsBytes: true)
        halt.withLock { $0 = nil }
        let opened = second.withLock { $0 }
        let other = try #require(opened)
        #expect(other === first)

        let now = Duration.seconds(1)
        _ = try first.change(at: now, Timestamp(nanoseconds: 1)) {
            try $0.write(Array("T".utf8), at: 0)
        }
        try other.refresh()
        #expect(try other.source(of: 0..<4)?.read(at: 0, count: 4) == Array("Text".utf8))
        for content in [first, other] {
            _ = try await contents.close(content, isWriter: true)
        }
        #expect(!contents.isOpen(id))
        let third = try await contents.open(id, isWriter: false)
        #expect(third !== first)
    }

    @Test("have the same open, also where one of them has looked what is there before that")
    func outdated() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        defer { replica.close() }
        let id = try await Self.makeFile(replica)
        let halt = Mutex<(@Sendable () -> Void)?>(nil)
        var world = replica.world
        let uptime = world.uptime
        // It is asked after the replica.
        world.uptime = {
            halt.withLock { halt in
                defer { halt = nil }
                return halt
            }?()
            return uptime()
        }
        let contents = OpenContents(replica: replica, world: world, settings: HostSettings())
        let first = try await contents.open(id, isWriter: true)
        halt.withLock { halt in
            halt = {
                let begun = Semaphore()
                Task(executorPreference: Self.threads) {
                    defer { begun.signal() }
                    try await contents.begin(first, keepsBytes: true)
                }
                begun.wait()
            }
        }
        let second = try await withTaskExecutorPreference(Self.threads) {
            try await contents.open(id, isWriter: true)
        }
        #expect(second === first)
        #expect(halt.withLock { $0 == nil })
    }

    @Test("are not taken for interrupted where one of them begins after that was asked")
    func begunMeanwhile() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        defer { replica.close() }
        let id = try await Self.makeFile(replica)
        let contents = OpenContents(
            replica: replica, world: replica.world, settings: HostSettings())
        let content = try await contents.open(id, isWriter: true)
        try await contents.begin(content, keepsBytes: true)
        let isKnown = Atomic(false)
        try await replica.finishInterrupted { _ in
            isKnown.exchange(true, ordering: .relaxed)
        }
        let wasAsked = isKnown.load(ordering: .relaxed)
        #expect(wasAsked)
        #expect(try replica.read { try $0.isWrittenInPlace(id) })
        try await replica.finishInterrupted()
        #expect(try !replica.read { try $0.isWrittenInPlace(id) })
    }

    @Test("have another one open than what is made under its name, though both are empty")
    func rotated() async throws {
        let editor = Program(name: "editor")
        try await FolderStage.play { stage in
            var wasMadeAnew = false
            // On a machine that is busy, it may take too long to be that.
            for round in 0..<20 where !wasMadeAnew {
                let name = "log\(round)"
                try await stage.host.create(name, in: .root, by: editor).close()
                try await stage.settle()
                let id = try await stage.node(name)
                let old = try await stage.host.open(id, for: .reading, by: editor)
                try await stage.host.move(id, to: .root, as: name + ".1", replaces: true)
                let new = try await stage.host.create(name, in: .root, by: editor)
                // It is the same item still.
                wasMadeAnew = try await stage.node(name) == id
                #expect(!new.isSame(as: old))
                try await new.write(Array("new".utf8), at: 0)
                #expect(try old.size == 0)
                for file in [old, new] { try await file.close() }
                try await stage.settle()
                let there = try stage.there()
                #expect(there[name] == "new" && there[name + ".1"] == "")
            }
            #expect(wasMadeAnew)
        }
    }
}
