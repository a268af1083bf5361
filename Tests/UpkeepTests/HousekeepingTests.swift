import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Synchronization
import Testing

@Suite("Housekeeping", .timeLimit(.minutes(60)))
struct HousekeepingTests {
    @Test("fills the search index behind the writes")
    func search() async throws {
        let server = try await TestServer()
        try await server.put("before", [1])
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules() },
            isBeingCopied: { false }, takeUsedDevices: { [] })

        try await running(keeper) {
            try await until(by: server.clock) { try Self.isFound("before", in: server) }
            try await server.put("after", [2])
            try await until(by: server.clock) { try Self.isFound("after", in: server) }
        }
        #expect(try await server.check() == [])
    }

    private static func isFound(_ name: String, in server: TestServer) throws -> Bool {
        try server.store.read {
            try $0.value("SELECT 1 FROM search WHERE name = ?", name, of: Int64.self) != nil
        }
    }

    @Test("writes down which devices were used")
    func tidies() async throws {
        let server = try await TestServer()
        let account = server.identity.account
        let device = try await server.store.write {
            try $0.addDevice(
                "laptop", of: account, token: ContentHash(of: [1]), expires: nil)
        }
        let before: Timestamp? = try server.store.read { try $0.value("SELECT used FROM device") }
        let used = Mutex([device])
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules() },
            isBeingCopied: { false },
            takeUsedDevices: {
                used.withLock { used in
                    defer { used = [] }
                    return used
                }
            })

        try await running(keeper) {
            try await until(by: server.clock) {
                try server.store.read {
                    try $0.value("SELECT used FROM device", of: Timestamp.self)
                } != before
            }
        }
    }

    @Test("collects, and goes on after a failure")
    func collects() async throws {
        let mishap = Mishap()
        let server = try await TestServer(mishap: mishap)
        try await server.put("a", bytes(6000, seed: 1))
        try await server.write { try $0.deleteDomain($1) }
        mishap.happen(after: 0)
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs,
            rules: { Housekeeping.Rules(policy: .atOnce) }, isBeingCopied: { false },
            takeUsedDevices: { [] })

        try await running(keeper) {
            try await until(by: server.clock) { mishap.hasHappened }
            mishap.cease()
            try await until(by: server.clock) { try await server.blobFiles().isEmpty }
        }
    }

    @Test("forgets nothing for its age while the clock has leapt")
    func leap() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", [1, 2, 3])
        try await server.delete(item)
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules(policy: .test) },
            isBeingCopied: { false },
            takeUsedDevices: { [] })
        @Sendable func isHeld() throws -> Bool {
            try server.store.read {
                try $0.value("SELECT content FROM item WHERE id = ?", item, of: Int64.self)
            } != nil
        }

        try await running(keeper) {
            let start = server.world.uptime()
            var isEarly = true
            try await until(by: server.clock) {
                let passed = server.world.uptime() - start
                if passed == .seconds(30) {
                    server.clock.set(server.clock.now + .seconds(400 * 86_400))
                }
                if passed < .seconds(80_000), try !isHeld() { isEarly = false }
                return try passed > .seconds(80_000) && !isHeld()
            }
            #expect(isEarly)
        }
    }

    @Test("ends when it is cancelled")
    func ends() async throws {
        let server = try await TestServer()
        try await running(
            Housekeeping(
                store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules() },
                isBeingCopied: { false }, takeUsedDevices: { [] })
        ) {}
    }

    /// Returns when the keeper has ended.
    private func running(
        _ keeper: Housekeeping, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { await keeper.run() }
            try await body()
            group.cancelAll()
        }
    }

    /// Lets time pass until something is so; not while something is being done, however long that takes on a busy
    /// machine.
    private func until(
        by clock: TestClock, _ isSo: () async throws -> Bool
    ) async throws {
        for _ in 0..<200_000 {
            try await clock.keepersRest()
            if try await isSo() { return }
            clock.advance(.seconds(1))
            await Task.yield()
        }
        Issue.record("it never came to be")
    }
}
