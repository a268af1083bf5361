import Testing

@Suite("Devices around a cloud")
struct CloudSimulationTests {
    @Test("come to the same tree, and lose nothing", arguments: Seeds.chosen(60))
    func converges(seed: UInt64) {
        let scenario = Scenario(seed: seed, steps: Seeds.steps) { _, _ in
            Cloud(isLazy: seed % 3 == 0)
        }
        Seeds.play(scenario, seed: seed, suite: "CloudSimulationTests")
    }
}
