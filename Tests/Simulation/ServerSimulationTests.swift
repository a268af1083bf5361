import Testing

@Suite("Devices around a server")
struct ServerSimulationTests {
    @Test(
        "come to the same tree, and lose nothing",
        arguments: Seeds.chosen(40, found: [40: 300, 52: 300]))
    func converges(run: Run) {
        let scenario = Scenario(seed: run.seed, steps: run.steps) { folder, world in
            try await ServerStorage(folder: folder, world: world)
        }
        Seeds.play(scenario, run, suite: "ServerSimulationTests")
    }
}
