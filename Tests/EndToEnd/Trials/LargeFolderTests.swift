import Testing

extension EndToEnd.Trials {
    @Suite("A folder of 100,000 files")
    struct LargeFolderTests {
        @Test("is made, listed and changed, and seen by another machine")
        func folder() throws {
            try TrialScene.play { scene in
                try Trial.timed("100,000 files: made") {
                    try scene.shell(
                        """
                        python3 - <<'END'
                        import os
                        os.mkdir("many")
                        for number in range(100000):
                            with open("many/file%d" % number, "w") as f: f.write("%d\\n" % number)
                        END
                        """)
                }
                try Trial.timed("100,000 files: until all are on the server") {
                    try scene.settle(upTo: .seconds(1800))
                }
                #expect(
                    try Trial.timed("100,000 files: listed with what they are") {
                        try scene.shell("ls -l many | tail -n +2 | wc -l")
                    } == "100000\n")
                #expect(
                    try Trial.timed("100,000 files: counted") {
                        try scene.shell("find many -type f | wc -l")
                    } == "100000\n")

                let (other, there) = try scene.another()
                try Trial.timed("100,000 files: until another machine knows them") {
                    try scene.settle(other)
                }
                #expect(
                    try Trial.timed("100,000 files: listed there") {
                        try scene.shell("ls -l many | tail -n +2 | wc -l", in: there)
                    } == "100000\n")
                #expect(
                    try scene.shell("cat many/file0 many/file99999", in: there) == "0\n99999\n")
                try Trial.timed(
                    "100,000 files: until one more that is gone is gone there"
                ) {
                    try scene.shell("rm many/file500")
                    try scene.shell(
                        "while test -e many/file500; do sleep 0.01; done", in: there,
                        upTo: .seconds(60))
                }
                #expect(
                    try Trial.timed("100,000 files: listed there again") {
                        try scene.shell("ls many | wc -l", in: there)
                    } == "99999\n")
            }
        }
    }
}
