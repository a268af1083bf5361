import BasketModels
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A collection that dies")
struct CollectorCrashTests {
    /// Something for every part of a collection: sparse blobs, single chunks, dead contents, a file
    /// that no row names.
    private static func prepare(_ server: TestServer) async throws -> [ItemID: [UInt8]] {
        var files: [ItemID: [UInt8]] = [:]
        let sparse = try await server.put("sparse", bytes(8192, seed: 1))
        files[sparse] = Array(bytes(8192, seed: 1)[..<2048])
        try await server.replace(sparse, files[sparse] ?? [])
        let delta = try await server.put("delta", bytes(1024, seed: 2))
        files[delta] = bytes(6144, seed: 3)
        try await server.replace(delta, files[delta] ?? [], isDelta: true)
        try await server.delete(try await server.put("gone", bytes(4096, seed: 4)))
        _ = try await server.stage(bytes(2048, seed: 5))
        return files
    }

    @Test("leaves everything as it should be, wherever it dies")
    func everywhere() async throws {
        var deaths = 0
        while true {
            let home = try TestHome()
            let mishap = Mishap()
            var server = try await TestServer(in: home, mishap: mishap)
            let files = try await Self.prepare(server)
            let now = server.clock.now
            mishap.happen(after: deaths)
            do {
                _ = try await server.collect(.atOnce)
                if !mishap.hasHappened { break }
            } catch {
                #expect(mishap.hasHappened, "\(error)")
            }

            server = try await TestServer(seed: 2, in: home)
            server.clock.set(now)
            let found = try await server.check()
            #expect(found.filter { $0.severity != .leak } == [], "died after \(deaths)")
            for _ in 0..<3 { _ = try await server.collect(.atOnce) }
            #expect(try await server.check() == [], "died after \(deaths)")
            #expect(try await server.blobFiles().count == 2, "died after \(deaths)")
            for (id, content) in files { #expect(try await server.contents(of: id) == content) }
            deaths += 1
        }
        #expect(deaths > 20)
    }
}
