/// One play of the simulation.
struct Run: Sendable, CustomStringConvertible {
    let seed: UInt64
    let steps: Int

    var description: String { "seed \(seed), \(steps) steps" }
}
