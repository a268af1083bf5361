import BasketHTTP
import Testing

@testable import BasketAPI

@Suite("What bodies hold in memory")
struct MemoryBudgetTests {
    @Test("is bounded for an account and for all, and given back")
    func bounds() throws {
        let budget = MemoryBudget(total: 100, perAccount: 60)
        var shares = [MemoryShare(budget, account: 1), MemoryShare(budget, account: 2)]
        try shares[0].take(40)
        try shares[0].take(20)
        #expect(throws: Problem.self) { try shares[0].take(1) }
        try shares[1].take(40)
        #expect(throws: Problem.self) { try shares[1].take(1) }
        shares.removeFirst()
        try shares[0].take(20)
        #expect(throws: Problem.self) { try shares[0].take(1) }
        shares = []
        #expect(budget.take(60, for: 1))
    }

    @Test("has a request refused when there is no room, and none kept when it is over")
    func requests() async throws {
        let server = try await TestServer { settings in
            settings.bodyMemory = 10 << 20
            settings.bodyMemoryOfAccount = 5 << 20
        }
        let large = patterned(3 << 20)
        for _ in 0..<3 {
            // A part of a file that is cut into chunks holds a chunk; a chunk, all of itself.
            #expect(try await server.file("a.bin", bytes: large)["size"].int == 3 << 20)
            try await server.delete("/v1/domains/Work/files/a.bin")
        }
        let operation: JSON = [
            "op": "create", "name": .string(String(repeating: "x", count: 6 << 20)),
        ]
        let refused = try await server.post("/v1/domains/Work/batch", ["operations": [operation]])
        #expect(refused.status == 503)
        #expect(refused.code == "busy")
        #expect(refused.headers["Retry-After"] == "1")
        #expect(
            try await server.post(TestServer.items, ["name": "b", "kind": "folder"]).status == 201)
    }
}
