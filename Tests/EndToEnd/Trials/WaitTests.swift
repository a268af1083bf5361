import Testing

extension EndToEnd.Trials {
    @Suite("Whoever waits until everything is safe")
    struct WaitTests {
        @Test("is told so each of a thousand times, on a busy machine")
        func often() throws {
            try TrialScene.play { scene in
                let load = Meanwhile {
                    try scene.shell(
                        """
                        for i in 1 2 3; do sh -c 'while test ! -e "$0/over"; do :; done' $aside & done; wait
                        """)
                }
                let late = try Trial.timed("wait: a thousand times") {
                    try (0..<1000).filter { _ in
                        try scene.laptop.basket(["wait", "Work"], upTo: .seconds(15)).ending
                            != .exit(0)
                    }
                }
                try scene.shell("touch $aside/over")
                _ = try load.result()
                #expect(late == [])
            }
        }
    }
}
