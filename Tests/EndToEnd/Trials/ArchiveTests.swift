import Testing

extension EndToEnd.Trials {
    @Suite("An archive of ten thousand files")
    struct ArchiveTests {
        /// Makes `$aside/source` and `$aside/archive.tar`.
        static let archive = """
            python3 - "$aside/source" <<'END'
            import os, random, sys
            r = random.Random(3); top = sys.argv[1]
            for number in range(10000):
                folder = "%s/d%d/e%d" % (top, number % 50, number % 9); os.makedirs(folder, exist_ok=True)
                with open("%s/f%d" % (folder, number), "wb") as f: f.write(r.randbytes(r.randrange(8000)))
            END
            tar -C $aside/source -cf $aside/archive.tar .
            """

        @Test("is extracted in a domain as on the disk, and comes to another machine")
        func extracted() throws {
            try TrialScene.play { scene in
                try scene.shell(Self.archive)
                try Trial.timed("tar: 10,000 files extracted on the disk") {
                    try scene.shell("mkdir $aside/disk; tar -C $aside/disk -xf $aside/archive.tar")
                }
                try Trial.timed("tar: 10,000 files extracted in the mount") {
                    try scene.shell("tar -xf $aside/archive.tar")
                }
                try Trial.timed("tar: until all is on the server") { try scene.settle() }
                #expect(
                    try scene.shell("diff -r $aside/source . && tar -df $aside/archive.tar") == "")

                let (other, there) = try scene.another()
                try Trial.timed("tar: until another machine knows it") {
                    try scene.settle(other)
                }
                #expect(
                    try Trial.timed("tar: compared on another machine, where nothing was") {
                        try scene.shell("diff -r $aside/source .", in: there)
                    } == "")
                #expect(try scene.shell("tar -df $aside/archive.tar", in: there) == "")
            }
        }
    }
}
