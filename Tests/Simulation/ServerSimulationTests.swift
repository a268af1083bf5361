import Testing

@Suite("Devices around a server")
struct ServerSimulationTests {
    @Test("come to the same tree, and lose nothing", arguments: Seeds.chosen(40))
    func converges(seed: UInt64) {
        let scenario = Scenario(seed: seed, steps: Seeds.steps) { folder, world in
            try await ServerStorage(folder: folder, world: world)
        }
        Seeds.play(scenario, seed: seed, suite: "ServerSimulationTests")
    }
}
