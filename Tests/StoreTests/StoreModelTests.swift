import BasketSupport
import Testing

@Suite("The store, under random operations")
struct StoreModelTests {
    /// The same ones each time, unless somebody asks for others.
    private static let first =
        ProcessEnvironment.variables()["BASKET_MODEL_SEED"].flatMap { UInt64($0) } ?? 0

    @Test("does what the model does, step by step", arguments: first..<first + 200)
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
