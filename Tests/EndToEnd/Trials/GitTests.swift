import Testing

extension EndToEnd.Trials {
    @Suite("A repository in a domain")
    struct GitTests {
        /// Three thousand files in three hundred commits.
        private static let repository = """
            python3 - <<'END' | (git init -q --bare -b main "$aside/repository"; git -C "$aside/repository" fast-import --quiet)
            import random, sys
            r = random.Random(1); out = sys.stdout
            for commit in range(300):
                out.write("commit refs/heads/main\\ncommitter A <a@b.c> %d +0000\\ndata 6\\ncommit\\n" % (1600000000 + commit))
                for number in range(commit * 10, commit * 10 + 10):
                    data = "".join("%d\\n" % r.randrange(10**9) for line in range(r.randrange(1, 400)))
                    out.write("M 100644 inline d%d/e%d/f%d.txt\\ndata %d\\n%s\\n" % (number % 17, number % 5, number, len(data), data))
                for change in range(10):
                    number = r.randrange(commit * 10 + 10)
                    out.write("M 100644 inline d%d/e%d/f%d.txt\\ndata 5\\nnew.\\n\\n" % (number % 17, number % 5, number))
            END
            """

        @Test("is cloned, worked in, packed and found whole, here and on another machine")
        func clone() throws {
            try TrialScene.play { scene in
                try scene.shell(
                    """
                    git config --global user.email a@b.c; git config --global user.name a
                    git config --global init.defaultBranch main; \(Self.repository)
                    """)
                try Trial.timed("git: a clone of 3,000 files and 300 commits") {
                    try scene.shell("git clone -q \"file://$aside/repository\" work")
                }
                try Trial.timed("git: the same on the disk") {
                    try scene.shell("git clone -q \"file://$aside/repository\" $aside/work")
                }
                #expect(try scene.shell("git -C work status --porcelain") == "")
                try Trial.timed("git: 100 commits") {
                    try scene.shell(
                        "cd work; for i in $(seq 100); do echo $i >>d1/e$((i % 5))/new; git add .; git commit -qm $i; done"
                    )
                }
                try Trial.timed("git: gc and fsck") {
                    try scene.shell(
                        "cd work; git gc -q; git fsck --strict; git status --porcelain >$aside/status; test ! -s $aside/status"
                    )
                }
                let wasAsked = try Trial.timed("git: until all is on the server") {
                    try scene.settle()
                }
                Trial.tell("git: gc's removals were held back: \(wasAsked)")

                let (other, there) = try scene.another()
                try scene.settle(other)
                let said = try scene.shell(
                    "cd work; git fsck --strict; git status --porcelain; git log --oneline | wc -l",
                    in: there)
                #expect(said == "400\n")
                #expect(
                    try scene.shell("git -C work rev-parse HEAD HEAD^{tree}", in: there)
                        == scene.shell("git -C work rev-parse HEAD HEAD^{tree}"))
            }
        }
    }
}
