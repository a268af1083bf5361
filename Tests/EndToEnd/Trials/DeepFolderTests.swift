import Testing

extension EndToEnd.Trials {
    @Suite("Folders a thousand deep")
    struct DeepFolderTests {
        private static let walk = """
            python3 - <<'END'
            import os
            depth = 0
            while os.path.isdir("d"): os.chdir("d"); depth += 1
            print(depth, open("bottom").read().strip(), os.listdir("."))
            END
            """

        @Test("are made, walked and removed, here and on another machine")
        func deep() throws {
            try TrialScene.play { scene in
                try Trial.timed("1,000 deep: made") {
                    try scene.shell(
                        """
                        python3 - <<'END'
                        import os
                        for depth in range(1000): os.mkdir("d"); os.chdir("d")
                        with open("bottom", "w") as f: f.write("here")
                        END
                        """)
                }
                let expected = "1000 here ['bottom']\n"
                #expect(
                    try Trial.timed("1,000 deep: walked") { try scene.shell(Self.walk) } == expected
                )
                #expect(try scene.shell("find . | wc -l") == "1002\n")
                try Trial.timed("1,000 deep: until all are on the server") {
                    try scene.settle()
                }
                let (other, there) = try scene.another()
                try scene.settle(other)
                #expect(
                    try Trial.timed("1,000 deep: walked on another machine") {
                        try scene.shell(Self.walk, in: there)
                    } == expected)

                try Trial.timed("1,000 deep: removed") {
                    try scene.shell("rm -r d; test -z \"$(ls)\"")
                }
                let wasAsked = try Trial.timed("1,000 deep: until the server has removed them") {
                    try scene.settle()
                }
                Trial.tell("1,000 deep: the removals were held back: \(wasAsked)")
                #expect(
                    try Patience.until(upTo: .seconds(60)) {
                        try scene.shell("ls", in: there) == ""
                    })
            }
        }
    }
}
