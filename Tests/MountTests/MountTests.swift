import Foundation
import Testing

@Suite("A mounted domain", .timeLimit(.minutes(5)), .enabled(if: MountStage.isPossible))
struct MountTests {
    @Test("shows what the provider has, and brings it when it is opened")
    func reading() async throws {
        try await MountStage.play { stage in
            try stage.put("a.txt", "hello\n")
            #expect(mkdir(stage.served + "/folder", 0o755) == 0)
            try stage.put("folder/b", "deep")
            try await stage.settle()

            #expect(try await stage.shell("ls -A") == "a.txt\nfolder\n")
            #expect(try await stage.shell("stat -c '%s %b %F' a.txt") == "6 0 regular file\n")
            #expect(try await stage.shell("cat a.txt folder/b") == "hello\ndeep")
            #expect(try await stage.shell("stat -c '%s %b' a.txt") == "6 1\n")
            #expect(try await stage.shell("ls missing || true").contains("No such file"))
        }
    }

    @Test("takes what programs write, and the provider gets it")
    func writing() async throws {
        try await MountStage.play { stage in
            try await stage.settle()
            try await stage.shell(
                """
                mkdir -p a/b; echo one >a/b/c; echo two >>a/b/c; ln -s a/b/c link; mv a/b/c a/d
                printf x >gone; rm gone; printf 12345 >cut; truncate -s 3 cut
                """)
            #expect(
                try await stage.shell("cat a/d; cat cut; readlink link") == "one\ntwo\n123a/b/c\n")
            try await stage.settle()
            let there = try String(contentsOfFile: stage.served + "/a/d", encoding: .utf8)
            #expect(there == "one\ntwo\n")
            #expect(!FileManager.default.fileExists(atPath: stage.served + "/gone"))
        }
    }

    @Test("shows at once what has changed elsewhere, though the kernel keeps what it knows")
    func elsewhere() async throws {
        try await MountStage.play { stage in
            try stage.put("a", "old")
            try stage.put("other", "x")
            try await stage.settle()
            #expect(
                try await stage.shell("cat a; ls missing 2>/dev/null || echo none") == "oldnone\n")

            try stage.put("a", "newer")
            try stage.put("missing", "there")
            #expect(rename(stage.served + "/other", stage.served + "/moved") == 0)
            try await stage.settle()

            let changed = "a\nmissing\nmoved\n" + "newer 5\nthere" + "x"
            #expect(
                try await stage.shell(
                    "ls; cat a; stat -c ' %s' a; cat missing moved || true", untilItSays: changed)
                    == changed)
            #expect(unlink(stage.served + "/a") == 0)
            try await stage.settle()
            let removed = "missing\nmoved\nnone\n"
            #expect(
                try await stage.shell("ls; ls a 2>/dev/null || echo none", untilItSays: removed)
                    == removed)
        }
    }

    @Test("keeps a file what it is, however a program saves it")
    func saving() async throws {
        try await MountStage.play { stage in
            try stage.put("a.txt", "one")
            try await stage.settle()
            let node = try await stage.shell("stat -c %i a.txt")

            try await stage.shell("printf two >a.txt.tmp; mv a.txt.tmp a.txt")
            #expect(try await stage.shell("cat a.txt; stat -c ' %i' a.txt") == "two " + node)
            try await stage.shell("mv a.txt a.txt~; printf three >a.txt")
            #expect(
                try await stage.shell("cat a.txt a.txt~; stat -c ' %i' a.txt") == "threetwo " + node
            )
            try await stage.settle()
            #expect(try String(contentsOfFile: stage.served + "/a.txt", encoding: .utf8) == "three")
        }
    }

    @Test("keeps what is said of files")
    func status() async throws {
        try await MountStage.play(isSyncing: false) { stage in
            try await stage.shell(
                "umask 022; touch file; mkdir folder; chmod 2750 file; chmod 700 folder")
            #expect(try await stage.shell("stat -c %a file folder") == "2750\n700\n")
            try await stage.shell("touch -d @1234567890.123456789 file")
            #expect(try await stage.shell("stat -c '%.9Y' file") == "1234567890.123456789\n")
            try await stage.shell("setfattr -n user.colour -v blue file")
            #expect(try await stage.shell("getfattr --only-values -n user.colour file") == "blue")
            #expect(try await stage.shell("getfattr -m - file | grep -c user").hasPrefix("1"))
            try await stage.shell(
                "if chown 1234 file; then false; fi; if ln file other; then false; fi")
        }
    }
}
