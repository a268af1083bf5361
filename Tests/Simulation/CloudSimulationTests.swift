import Testing

@Suite("Devices around a cloud")
struct CloudSimulationTests {
    private static let found: [UInt64: Int] = [
        88: 300, 99: 300, 12_009: 300, 12_024: 300, 12_090: 300, 12_096: 300, 12_097: 300,
        14_051: 300, 15_042: 300,
    ]

    @Test(
        "come to the same tree, and lose nothing",
        arguments: Seeds.chosen(60, found: Self.found))
    func converges(run: Run) {
        let scenario = Scenario(seed: run.seed, steps: run.steps) { _, _ in
            Cloud(isLazy: run.seed % 3 == 0)
        }
        Seeds.play(scenario, run, suite: "CloudSimulationTests")
    }
}
