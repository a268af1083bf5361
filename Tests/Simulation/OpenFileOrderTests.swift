import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization
import Testing

@testable import FileProviderHost

@Suite("Who has files open that take each other's places")
struct OpenFileOrderTests {
    @Test("is alone with them in the order in which they were opened, wherever they are by then")
    func order() throws {
        try Stage.play { _, device in
            let open = device.host.openContents
            let a = try await device.create("a", in: .root, "the first")
            let b = try await device.create("b", in: .root, "the second")
            let files = [
                try await device.open(b, for: .writing), try await device.open(a, for: .writing),
            ]
            let earlier = try #require(open.current(b))
            let later = try #require(open.current(a))

            /// Who waits for the one keeps nobody from the other.
            func expectOrder(_ ids: [NodeID]) async throws {
                let isOver = Mutex(false)
                #expect(earlier.gate.enter())
                let task = device.replica.world.spawn {
                    try? await open.alone(ids) { isOver.withLock { $0 = true } }
                }
                try await device.wait(seconds: 1)
                #expect(!earlier.gate.enter())
                if later.gate.enter() {
                    later.gate.leave()
                } else {
                    Issue.record("the later one is closed already")
                }
                earlier.gate.leave()
                await task.value
                #expect(isOver.withLock { $0 })
            }

            try await expectOrder([a, b])
            try await expectOrder([b, a])
            // Now it lies at the other's node, before or behind it.
            open.move(a, to: b)
            try await expectOrder([b])
            try await expectOrder([a, b])
            for file in files { try await file.close() }
        }
    }

    @Test(
        "finds one of them there, whichever takes the other's place first",
        arguments: UInt64(1)...20)
    func oppositeRenames(seed: UInt64) throws {
        try Stage.play(seed: seed) { cloud, device in
            let a = try await device.create("a", in: .root, "the first")
            let b = try await device.create("b", in: .root, "the second")
            try await device.host.waitForRest()
            let files = [
                try await device.open(a, for: .writing), try await device.open(b, for: .writing),
            ]
            for file in files { try await file.write(Array("THE".utf8), at: 0) }
            let done = Mutex(0)
            for (id, name) in [(a, "b"), (b, "a"), (a, "b")] {
                _ = device.replica.world.spawn {
                    // Its own name may be another's by then.
                    _ = try? await device.host.move(id, to: .root, as: name, replaces: true)
                    done.withLock { $0 += 1 }
                }
            }
            try await device.wait(seconds: 60)
            #expect(done.withLock { $0 } == 3)
            for file in files { try await file.close() }
            try await device.host.waitForRest()
            let texts = ["THE first", "THE second"]
            #expect(cloud.tree().count == 1)
            #expect(cloud.tree().values.allSatisfy(texts.contains))
            #expect(try device.nodes().map(\.path) == cloud.tree().keys.sorted())
        }
    }
}
