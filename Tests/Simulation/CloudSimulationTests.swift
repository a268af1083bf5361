import Testing

@Suite("Devices around a cloud")
struct CloudSimulationTests {
    /// Each of them has found a mistake.
    private static let found =
        [88, 99, 12_009, 12_024, 12_090, 12_096, 12_097, 14_051, 15_042].map {
            Run(seed: $0, steps: 300, habits: .first)
        }
        + [
            40_161, 50_217, 3_090_053_286, 1_565_659_776, 2_727_695_276, 427_292_796, 427_292_806,
            385_910_671, 410_492_731, 735_703_776,
        ]
        .map {
            Run(seed: $0, steps: 500, habits: .third)
        }
        + [1_141_156_579, 1_902_712_284, 782_405_414, 3_090_053_244, 592_321_044].map {
            Run(seed: $0, steps: 500, habits: .fifth)
        }
        + [3_169_001_963, 3_281_943_972, 3_803_185_588].map {
            Run(seed: $0, steps: 500, habits: .fourth)
        }
        + [
            Run(seed: 3_196_842_800, steps: 500, habits: .second),
            Run(seed: 657_109_370, steps: 500, habits: .second),
            Run(seed: 1_254_546_595, steps: 500, habits: .second),
            Run(seed: 1_557_775_185, steps: 500, habits: .second),
            Run(seed: 485_838_596, steps: 500, habits: .third),
            Run(seed: 173_028_931, steps: 500, habits: .third),
            Run(seed: 485_838_799, steps: 500, habits: .fifth),
            Run(seed: 3_516_233_834, steps: 500, habits: .fifth),
            Run(seed: 320_968_934, steps: 500, habits: .fifth),
        ]
        + [97_083, 97_248, 994_289_103, 941_895_323, 1_705_773_058].map {
            Run(seed: $0, steps: 500, habits: .fourth)
        }

    @Test(
        "come to the same tree, and lose nothing",
        arguments: Seeds.chosen(75, found: Self.found))
    func converges(run: Run) {
        Seeds.play(Self.scenario(run), run, suite: "CloudSimulationTests")
    }

    static func scenario(_ run: Run) -> Scenario {
        Scenario(run) { _, _ in
            Cloud(
                isLazy: run.seed % 3 == 0,
                takesRights: run.habits != .first && run.seed % 2 == 0, caseRule: run.caseRule,
                keepsDetails: run.habits >= .third)
        }
    }
}
