/// One play of the simulation.
struct Run: Sendable, CustomStringConvertible {
    let seed: UInt64
    let steps: Int
    var habits = Habits.second

    var description: String { "seed \(seed), \(steps) steps, \(habits.rawValue) habits" }
}
