import Foundation
import Testing

@Suite("Devices around a cloud")
struct CloudSimulationTests {
    private static var seeds: [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let one = environment["BASKET_SEED"].flatMap({ UInt64($0) }) { return [one] }
        let count = environment["BASKET_SEEDS"].flatMap { Int($0) } ?? 20
        return (1...UInt64(count)).map { $0 }
    }

    private static var steps: Int {
        ProcessInfo.processInfo.environment["BASKET_STEPS"].flatMap { Int($0) } ?? 200
    }

    @Test("come to the same tree, and lose nothing", arguments: seeds)
    func converges(seed: UInt64) {
        let verdict = Scenario(seed: seed, steps: Self.steps) { _, _ in Cloud(isLazy: seed % 3 == 0) }.run()
        #expect(verdict.steps == Self.steps)
        if !verdict.problems.isEmpty {
            let problems = verdict.problems.prefix(40).joined(separator: "\n  ")
            let trace = verdict.trace.suffix(4000).joined(separator: "\n  ")
            Issue.record(
                "BASKET_SEED=\(seed) BASKET_STEPS=\(Self.steps)\n  \(problems)\n  …\n  \(trace)")
        }
    }
}
