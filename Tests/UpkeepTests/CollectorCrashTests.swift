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
        let deaths = try await CollectionDeaths.walk(.atOnce) { server in
            try await Self.prepare(server)
        } judge: { server, files, death async throws in
            #expect(try await server.blobFiles().count == 2, "died after \(death)")
            for (id, content) in files { #expect(try await server.contents(of: id) == content) }
        }
        #expect(deaths > 20)
    }
}
