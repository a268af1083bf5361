import BasketUpkeep
import Testing

/// A collection that dies before its first step that fails, then before its second, and so on, until one
/// gets through.
enum CollectionDeaths {
    /// - Parameters:
    ///   - prepare: fills a server; what it gives is handed to `judge`.
    ///   - judge: looks at what is there after each death, a new start and the collections after it.
    /// - Returns: how often it died.
    static func walk<Prepared>(
        _ policy: CollectionPolicy, prepare: (TestServer) async throws -> Prepared,
        judge: (TestServer, Prepared, Int) async throws -> Void
    ) async throws -> Int {
        var deaths = 0
        while true {
            let home = try TestHome()
            let mishap = Mishap()
            var server = try await TestServer(in: home, mishap: mishap)
            let prepared = try await prepare(server)
            let now = server.clock.now
            mishap.happen(after: deaths)
            do {
                _ = try await server.collect(policy)
                if !mishap.hasHappened { return deaths }
            } catch {
                #expect(mishap.hasHappened, "\(error)")
            }

            server = try await TestServer(seed: 2, in: home)
            server.clock.set(now)
            let found = try await server.check()
            #expect(found.filter { $0.severity != .leak } == [], "died after \(deaths)")
            for _ in 0..<3 { _ = try await server.collect(.atOnce) }
            #expect(try await server.check() == [], "died after \(deaths)")
            try await judge(server, prepared, deaths)
            deaths += 1
        }
    }
}
