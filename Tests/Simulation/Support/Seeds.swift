import Foundation
import Testing

/// Which seeds are played, and how long: so many as always, or what the environment says.
enum Seeds {
    /// - Parameter count: how many are played without being asked for others.
    static func chosen(_ count: UInt64) -> [UInt64] {
        if let one = number("BASKET_SEED") { return [one] }
        let first = number("BASKET_FIRST_SEED") ?? 1
        return (first..<first + (number("BASKET_SEEDS") ?? count)).map { $0 }
    }

    static var steps: Int { number("BASKET_STEPS").map { Int($0) } ?? 200 }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// Plays a scenario, and says how to play it again when something is wrong.
    static func play(_ scenario: Scenario, seed: UInt64, suite: String) {
        let verdict = scenario.run()
        #expect(verdict.steps == steps)
        guard !verdict.problems.isEmpty else { return }
        let again = """
            SWIFT_DETERMINISTIC_HASHING=1 BASKET_SEED=\(seed) BASKET_STEPS=\(steps) \
            swift test --disable-xctest --filter \(suite)
            """
        // A test that prints all of it prints thousands of lines.
        let length = seedIsChosen ? Int.max : 20
        let problems = verdict.problems.prefix(40).joined(separator: "\n  ")
        let trace = verdict.trace.suffix(length).joined(separator: "\n  ")
        Issue.record("\(again)\n  \(problems)\n  …\n  \(trace)")
    }

    private static var seedIsChosen: Bool { number("BASKET_SEED") != nil }
}
