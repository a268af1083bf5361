import Testing

@Suite("Devices around a server")
struct ServerSimulationTests {
    /// Each of them has found a mistake.
    private static let found =
        [40, 52].map { Run(seed: $0, steps: 300, habits: .first) }
        + [
            Run(seed: 19, steps: 200, habits: .third), Run(seed: 211, steps: 300, habits: .third),
            Run(seed: 7003, steps: 500, habits: .third),
            Run(seed: 7005, steps: 500, habits: .third),
            Run(seed: 1001, steps: 300, habits: .fifth),
            Run(seed: 1009, steps: 200, habits: .fifth),
            Run(seed: 97_049, steps: 500, habits: .fifth),
            Run(seed: 97_094, steps: 500, habits: .fifth),
            Run(seed: 3_169_001_976, steps: 500, habits: .third),
            Run(seed: 156_472_676, steps: 500, habits: .third),
            Run(seed: 4_101_336_983, steps: 500, habits: .fourth),
            Run(seed: 3_018_174_707, steps: 500, habits: .fourth),
            Run(seed: 3_820_035_163, steps: 500, habits: .fourth),
            Run(seed: 1_457_768, steps: 500, habits: .fourth),
            Run(seed: 2_489_005_127, steps: 500, habits: .fourth),
            Run(seed: 2_020_860_779, steps: 500, habits: .fifth),
            Run(seed: 2_137_572_842, steps: 500, habits: .fourth),
            Run(seed: 3_386_537_979, steps: 500, habits: .fifth),
            Run(seed: 342_438_753, steps: 500, habits: .fourth),
            Run(seed: 1_565_659_826, steps: 500, habits: .third),
            Run(seed: 2_636_141_395, steps: 500, habits: .second),
            Run(seed: 1_679_339_775, steps: 500, habits: .second),
            Run(seed: 1_679_339_738, steps: 500, habits: .fourth),
            Run(seed: 1_679_339_789, steps: 500, habits: .fifth),
            Run(seed: 2_727_695_292, steps: 500, habits: .fourth),
            Run(seed: 684_561_574, steps: 500, habits: .fifth),
            Run(seed: 1_679_691_523, steps: 500, habits: .fourth),
            Run(seed: 3_957_285_305, steps: 500, habits: .second),
            Run(seed: 3_139_756_309, steps: 500, habits: .fifth),
            Run(seed: 120_360_283, steps: 500, habits: .fourth),
            Run(seed: 120_360_767, steps: 500, habits: .fourth),
            Run(seed: 120_360_396, steps: 500, habits: .third),
            Run(seed: 120_360_431, steps: 500, habits: .third),
            Run(seed: 723_006_969, steps: 500, habits: .fifth),
            Run(seed: 485_838_871, steps: 500, habits: .third),
            Run(seed: 277_756_153, steps: 500, habits: .fourth),
            Run(seed: 340_927_772, steps: 500, habits: .fourth),
            Run(seed: 340_927_863, steps: 500, habits: .fourth),
            Run(seed: 665_080_823, steps: 500, habits: .fourth),
            Run(seed: 998_013_173, steps: 500, habits: .fourth),
            Run(seed: 306_401_459, steps: 500, habits: .fifth),
            Run(seed: 723_007_643, steps: 500, habits: .fourth),
            Run(seed: 173_030_001, steps: 500, habits: .third),
            Run(seed: 1_033_856_583, steps: 500, habits: .fourth),
            Run(seed: 4_286_318_680, steps: 500, habits: .second),
            Run(seed: 4_286_317_559, steps: 500, habits: .fifth),
            Run(seed: 1_611_479_824, steps: 500, habits: .fifth),
            Run(seed: 3_134_457_343, steps: 500, habits: .fourth),
            Run(seed: 1_348_664_743, steps: 500, habits: .fourth),
            Run(seed: 319_968_811, steps: 500, habits: .third),
        ]

    @Test(
        "come to the same tree, and lose nothing",
        arguments: Seeds.chosen(75, found: Self.found))
    func converges(run: Run) {
        Seeds.play(Self.scenario(run), run, suite: "ServerSimulationTests")
    }

    static func scenario(_ run: Run) -> Scenario {
        Scenario(run) { folder, executor in
            try await ServerStorage(run, folder: folder, executor: executor)
        }
    }
}
