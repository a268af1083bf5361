import Testing

extension EndToEnd.Trials {
    @Suite("A tree that rsync copies into a domain")
    struct RsyncTests {
        /// With rights, dates, attributes, links and holes of many kinds.
        private static let source = """
            python3 - "$aside/source" <<'END'
            import os, random, sys
            r = random.Random(2); top = sys.argv[1]; os.mkdir(top)
            for number in range(2000):
                folder = "%s/d%d/e%d" % (top, number % 13, number % 7); os.makedirs(folder, exist_ok=True)
                path = "%s/f%d" % (folder, number)
                with open(path, "wb") as f: f.write(r.randbytes(r.choice([0, 1, 4096, 70000])))
                if number % 3 == 0: os.setxattr(path, "user.colour", b"blue%d" % number)
                if number % 5 == 0: os.setxattr(path, "user.xdg.tags", b"one,two")
                if number % 11 == 0: os.symlink("../e1/f%d" % number, path + ".link")
                os.chmod(path, r.choice([0o644, 0o600, 0o755, 0o400, 0o664]))
                os.utime(path, ns=(10**18, r.randrange(10**18, 17 * 10**17)))
            with open(top + "/holes", "wb") as f: f.seek(50 << 20); f.write(b"end")
            for folder, folders, files in os.walk(top, topdown=False):
                os.setxattr(folder, "user.folder", b"yes"); os.utime(folder, ns=(10**18, r.randrange(10**18, 17 * 10**17)))
            END
            """

        @Test("shows no difference, in any attribute, either way and on another machine")
        func both() throws {
            try TrialScene.play { scene in
                try scene.shell(Self.source)
                try Trial.timed("rsync: 2,000 files into the mount") {
                    try scene.shell("rsync -aHAXS $aside/source/ copy/")
                }
                #expect(
                    try scene.shell("rsync -aHAXc -n --itemize-changes $aside/source/ copy/") == "")
                try scene.shell("rsync -aHAX copy/ $aside/back/")
                #expect(
                    try scene.shell("rsync -aHAXc -n --itemize-changes $aside/source/ $aside/back/")
                        == "")
                try scene.settle()

                let (other, there) = try scene.another()
                try scene.settle(other)
                #expect(
                    try scene.shell(
                        "rsync -aHAXc -n --itemize-changes $aside/source/ copy/", in: there) == "")
            }
        }

        @Test("is copied but for lists of rights, of which it says that they cannot be had")
        func lists() throws {
            try TrialScene.play { scene in
                try scene.shell(
                    """
                    mkdir $aside/source; echo some >$aside/source/listed; echo other >$aside/source/plain
                    setfacl -m u:games:rw $aside/source/listed
                    """)
                let said = try scene.shell(
                    """
                    if rsync -aA $aside/source/ copy/ 2>&1; then echo status 0; else echo "status $?"; fi
                    cat copy/listed copy/plain; stat -c %a copy/listed
                    """)
                Trial.tell(
                    "rsync: of a list of rights: \(said.split(separator: "\n").joined(separator: "; "))"
                )
                #expect(said.contains("Operation not supported"))
                #expect(said.contains("status 23"))
                #expect(said.contains("some\nother\n"))
            }
        }

        @Test("is copied but for second names of a file, of which it says that they cannot be had")
        func names() throws {
            try TrialScene.play { scene in
                try scene.shell(
                    """
                    mkdir $aside/source; echo one >$aside/source/first; ln $aside/source/first $aside/source/second
                    echo other >$aside/source/plain
                    """)
                let said = try scene.shell(
                    """
                    if rsync -aH $aside/source/ copy/ 2>&1; then echo status 0; else echo "status $?"; fi
                    # One of both names is there: which, rsync decides.
                    cat copy/first copy/second copy/plain 2>/dev/null || true
                    """)
                #expect(said.contains("Operation not permitted"), "\(said)")
                #expect(said.contains("status 23"), "\(said)")
                #expect(said.contains("one\nother\n"), "\(said)")
                // Without -H both are files of their own.
                let plain = try scene.shell(
                    "rsync -a $aside/source/ copy/; cat copy/first copy/second")
                #expect(plain == "one\none\n")
            }
        }
    }
}
