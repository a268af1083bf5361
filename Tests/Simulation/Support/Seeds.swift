import Foundation
import Testing

/// Which seeds are played, and how long: so many as always, or what the environment says.
enum Seeds {
    /// - Parameters:
    ///   - count: how many are played without being asked for others.
    ///   - found: those that have found something once: they are played as well.
    static func chosen(_ count: UInt64, found: [Run]) -> [Run] {
        let steps = number("BASKET_STEPS").map { Int($0) }
        let habits = ProcessInfo.processInfo.environment["BASKET_HABITS"].flatMap(Habits.init)
        func run(_ seed: UInt64) -> Run {
            Run(seed: seed, steps: steps ?? usualSteps, habits: habits ?? usualHabits(of: seed))
        }
        if let one = number("BASKET_SEED") { return [run(one)] }
        let first = number("BASKET_FIRST_SEED")
        let start = first ?? 1
        let runs = (start..<start + (number("BASKET_SEEDS") ?? count)).map(run)
        return first == nil && steps == nil ? runs + found : runs
    }

    private static let usualSteps = 200

    /// Mostly what is harshest.
    private static func usualHabits(of seed: UInt64) -> Habits {
        switch seed % 5 {
        case 0: .second
        case 1: .third
        case 4: .fifth
        default: .fourth
        }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// Plays a scenario, and says how to play it again when something is wrong.
    static func play(_ scenario: Scenario, _ run: Run, suite: String) {
        let again = """
            SWIFT_DETERMINISTIC_HASHING=1 BASKET_SEED=\(run.seed) BASKET_STEPS=\(run.steps) \
            BASKET_HABITS=\(run.habits.rawValue) \(player ?? "swift test --disable-xctest") \
            --filter \(suite)
            """
        tell("begins: \(again)")
        let verdict = scenario.play()
        tell("ends: \(again)")
        #expect(verdict.steps == run.steps)
        guard !verdict.problems.isEmpty else { return }
        // A test that prints all of it prints thousands of lines. Issues are cut off at some length.
        if isChosen { print(verdict.trace.joined(separator: "\n")) }
        let length = 20
        let problems = verdict.problems.prefix(40).joined(separator: "\n  ")
        let trace = verdict.trace.suffix(length).joined(separator: "\n  ")
        Issue.record("\(again)\n  \(problems)\n  …\n  \(trace)")
    }

    /// What plays one in the build that is running, if somebody has said so.
    private static var player: String? { ProcessInfo.processInfo.environment["BASKET_PLAYER"] }

    /// Whoever gives up waiting for one that has no end knows which it is.
    private static func tell(_ line: String) {
        guard player != nil else { return }
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// The beginning of a text that somebody wants to follow.
    static var watched: String? { ProcessInfo.processInfo.environment["BASKET_WATCH"] }

    /// Whether somebody looks for a mistake in one of them.
    static var isChosen: Bool { number("BASKET_SEED") != nil }
}
