import Testing

@Suite("The store, under random operations")
struct StoreModelTests {
    @Test("does what the model does, step by step", arguments: UInt64(0)..<200)
    func agrees(seed: UInt64) async throws {
        let run = try await ModelRun(seed: seed)
        for step in 0..<200 {
            do {
                try await run.step()
            } catch {
                Issue.record("replay with seed \(seed), step \(step): \(error)")
                return
            }
        }
    }
}
