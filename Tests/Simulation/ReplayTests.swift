import Testing

@Suite("A seed")
struct ReplayTests {
    @Test("gives the same play again", arguments: Habits.allCases)
    func replays(habits: Habits) {
        // Its server dies, since the third habits.
        let run = Run(seed: 6, steps: 60, habits: habits)
        let plays = (0..<2).map { _ in
            (CloudSimulationTests.scenario(run).play(), ServerSimulationTests.scenario(run).play())
        }
        #expect(plays[0].0 == plays[1].0)
        #expect(plays[0].1 == plays[1].1)
        #expect(plays[0].1.steps == 60)
    }
}
