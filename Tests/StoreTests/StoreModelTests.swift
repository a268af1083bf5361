import BasketSupport
import Testing

@Suite("The store, under random operations")
struct StoreModelTests {
    /// The same ones each time, unless somebody asks for others.
    private static let first = number("BASKET_MODEL_SEED") ?? 0
    private static let count = number("BASKET_MODEL_COUNT") ?? 200

    private static func number(_ name: String) -> UInt64? {
        ProcessEnvironment.variables()[name].flatMap { UInt64($0) }
    }

    @Test("does what the model does, step by step", arguments: first..<first + count)
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
