import Testing

@Suite("Devices around a cloud")
struct CloudSimulationTests {
    @Test(
        "come to the same tree, and lose nothing",
        arguments: Seeds.chosen(60, found: [88: 300, 99: 300, 5098: 300, 5183: 300]))
    func converges(run: Run) {
        let scenario = Scenario(seed: run.seed, steps: run.steps) { _, _ in
            Cloud(isLazy: run.seed % 3 == 0)
        }
        Seeds.play(scenario, run, suite: "CloudSimulationTests")
    }
}
