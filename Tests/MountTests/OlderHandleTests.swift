import Foundation
import Glibc
import Synchronization
import Testing

/// The kernel knows one length and one set of bytes for each number of a file. Who has had it open since before it was
/// saved, or was changed elsewhere, has another file.
@Suite(
    "Who has had a file open since before its name went to other bytes", .timeLimit(.minutes(5)),
    .enabled(if: MountStage.isPossible))
struct OlderHandleTests {
    @Test("writes behind the end of what is open, and not of what has the name")
    func rotated() async throws {
        try await MountStage.play { stage in
            try stage.put("log", String(repeating: "line\n", count: 1000))
            try await stage.settle()
            try await stage.shell("cat log >/dev/null")
            let said = try await stage.shell(
                """
                exec 9>>log; mv log log.1; : >log; echo x >&9; echo y >&9
                head -c 5 log.1; tail -c 9 log.1; stat -c %s log.1; cat log
                """)
            #expect(said == "line\nline\nx\ny\n5004\n")
            try await stage.settle()
            let kept = try String(contentsOfFile: stage.served + "/log.1", encoding: .utf8)
            #expect(kept == String(repeating: "line\n", count: 1000) + "x\ny\n")
        }
    }

    @Test("is told how long it is, and what others see who open it")
    func saved() async throws {
        try await MountStage.play { stage in
            try stage.put("doc", "an old text")
            try await stage.settle()
            let said = try await stage.shell(
                """
                cat >../saver.py <<'END'
                import os
                f = os.open("new", os.O_CREAT | os.O_RDWR, 0o644)
                os.write(f, b"one "); os.rename("new", "doc")
                print(open("doc").read())
                os.write(f, b"two ")
                facts = os.fstat(f); print(facts.st_size, facts.st_nlink, os.lseek(f, 0, os.SEEK_END))
                os.write(f, b"three "); os.fchmod(f, 0o600); os.close(f)
                print("%o" % (os.stat("doc").st_mode & 0o777))
                END
                python3 ../saver.py
                """)
            #expect(said == "one \n8 1 8\n600\n")
            let text = "one two three "
            #expect(try await stage.shell("cat doc", untilItSays: text) == text)
        }
    }

    @Test("is told that it has a name when it was saved, and what had that before is forgotten")
    func savedStillOpen() async throws {
        try await MountStage.play { stage in
            let said = try await stage.shell(
                """
                cat >../saver.py <<'END'
                import os, time
                drafts = []
                for i in range(10):
                    os.mkdir("d%d" % i); doc, draft = "d%d/doc" % i, "d%d/.tmp-save" % i
                    with open(doc, "w") as f: f.write("an old text")
                    time.sleep(0.5)
                    f = os.open(draft, os.O_CREAT | os.O_RDWR, 0o644); os.write(f, b"new")
                    time.sleep(0.3); os.rename(draft, doc); os.fstat(f); drafts.append(f)
                    time.sleep(0.2)
                print({os.fstat(f).st_nlink for f in drafts})
                END
                python3 ../saver.py
                """)
            #expect(said == "{1}\n")
        }
    }

    @Test("is none who sets the mode of what was saved just now, by its name")
    func savedAndClosed() async throws {
        try await MountStage.play { stage in
            try stage.put("doc", "an old text")
            try await stage.settle()
            for round in 0..<20 {
                try await stage.shell(
                    "printf \(round) >new; mv new doc; chmod 6\(round % 8)0 doc; touch -d @7 doc")
                let said = try await stage.shell("stat -c '%a %Y' doc")
                #expect(said == "6\(round % 8)0 7\n")
            }
        }
    }

    @Test("sets what is said of it, though it is gone")
    func removed() async throws {
        try await MountStage.play { stage in
            let said = try await stage.shell(
                """
                cat >../remover.py <<'END'
                import os
                f = os.open("t", os.O_CREAT | os.O_RDWR, 0o644)
                os.write(f, b"text"); os.unlink("t")
                os.fchmod(f, 0o600); os.utime(f, (5, 7))
                facts = os.fstat(f)
                print("%o" % (facts.st_mode & 0o777), facts.st_mtime, facts.st_size, facts.st_nlink)
                END
                python3 ../remover.py
                """)
            #expect(said == "600 7.0 4 0\n")
        }
    }

    @Test("empties what is opened only to be read")
    func emptied() async throws {
        try await MountStage.play { stage in
            try stage.put("file", "text")
            try await stage.settle()
            let said = try await stage.shell(
                """
                python3 -c 'import os
                f = os.open("file", os.O_RDONLY | os.O_TRUNC)
                print(os.fstat(f).st_size, os.read(f, 9))'
                """)
            #expect(said == "0 b''\n")
            try await stage.settle()
            #expect(try String(contentsOfFile: stage.served + "/file", encoding: .utf8).isEmpty)
        }
    }

    @Test("writes over what he has seen, and not over what has come since then")
    func changedElsewhere() async throws {
        try await MountStage.play { stage in
            try stage.put("f", "one")
            try await stage.settle()
            try await stage.shell("cat f")
            async let said = stage.shell(
                """
                exec 9<>f; head -c 3 <&9; touch ../opened
                until test -e ../go; do sleep 0.02; done
                printf '!' >&9
                """)
            let folder = (stage.mounted as NSString).deletingLastPathComponent
            while !FileManager.default.fileExists(atPath: folder + "/opened") {
                try await Task.sleep(for: .milliseconds(10))
            }
            try stage.put("f", "two")
            try await stage.settle()
            #expect(FileManager.default.createFile(atPath: folder + "/go", contents: nil))
            _ = try await said
            try await stage.settle()
            let names = try FileManager.default.contentsOfDirectory(atPath: stage.served)
            let texts = try names.map {
                try String(contentsOfFile: stage.served + "/" + $0, encoding: .utf8)
            }
            #expect(texts.contains("two"))
            #expect(texts.contains("one!"))
        }
    }

    /// Goes on with what it has opened before `../go` is there.
    private static let reader = """
        cat >../reader.py <<'END'
        import mmap, os, sys, time
        f = os.open("doc", os.O_RDONLY)
        first = os.pread(f, 4096, 0)
        m = mmap.mmap(f, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
        open("../opened", "w").close()
        while not os.path.exists("../go"): time.sleep(0.01)
        rest = os.read(f, 1 << 24)
        facts = os.fstat(f)
        print(len(rest), set(rest), set(m[:]), facts.st_size, facts.st_nlink)
        now = open("doc", "rb").read()
        print(len(now), set(now))
        END
        python3 ../reader.py
        """

    private func playReader(
        _ length: Int, change: @Sendable (MountStage) async throws -> Void
    ) async throws -> String {
        let said = Mutex("")
        try await MountStage.play { stage in
            try stage.put("doc", String(repeating: "o", count: 3 << 20))
            try await stage.settle()
            async let reader = stage.shell(Self.reader)
            let folder = (stage.mounted as NSString).deletingLastPathComponent
            while !FileManager.default.fileExists(atPath: folder + "/opened") {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await change(stage)
            let length = "\(length)\n"
            #expect(try await stage.shell("wc -c <doc", untilItSays: length) == length)
            #expect(FileManager.default.createFile(atPath: folder + "/go", contents: nil))
            let text = try await reader
            said.withLock { $0 = text }
        }
        return said.withLock { $0 }
    }

    @Test(
        "reads on to the end of what was there, whatever others put in its place",
        arguments: [1000, 5 << 20])
    func replacedElsewhere(length: Int) async throws {
        let said = try await playReader(length) { stage in
            try stage.put("doc", String(repeating: "n", count: length))
            try await stage.settle()
        }
        #expect(said == "3145728 {111} {111} 3145728 0\n\(length) {110}\n")
    }

    @Test(
        "reads on to the end of what was there, though a program saves the file by way of another",
        arguments: [1000, 5 << 20])
    func replacedHere(length: Int) async throws {
        let said = try await playReader(length) { stage in
            try await stage.shell("head -c \(length) /dev/zero | tr '\\0' n >new; mv new doc")
        }
        #expect(said == "3145728 {111} {111} 3145728 0\n\(length) {110}\n")
    }

    @Test("reads what others write who have the same open, and so does who has opened it since")
    func rotatedAndRead() async throws {
        try await MountStage.play { stage in
            try stage.put("log", "one\n")
            try await stage.settle()
            let said = try await stage.shell(
                """
                exec 9>>log; mv log log.1; : >log
                exec 8<log.1; cat <&8; echo two >&9; cat <&8; cat log.1; stat -c %s log.1
                mv log.1 log.2; echo three >&9; cat <&8; tail -n 1 log.2; cat log
                """)
            #expect(said == "one\ntwo\none\ntwo\n8\nthree\nthree\n")
        }
    }

    @Test("writes what all others see who have the same open")
    func writtenBefore() async throws {
        try await MountStage.play { stage in
            try stage.put("f", "one")
            try await stage.settle()
            async let said = stage.shell(
                """
                exec 8<>f 9<>f; head -c 3 <&8; touch ../opened
                until test -e ../go; do sleep 0.02; done
                printf ' and more' >&8; cat <&9; stat -Lc ' %s %h' /dev/fd/9
                """)
            let folder = (stage.mounted as NSString).deletingLastPathComponent
            while !FileManager.default.fileExists(atPath: folder + "/opened") {
                try await Task.sleep(for: .milliseconds(10))
            }
            try stage.put("f", "two")
            try await stage.settle()
            #expect(try await stage.shell("cat f", untilItSays: "two") == "two")
            #expect(FileManager.default.createFile(atPath: folder + "/go", contents: nil))
            #expect(try await said == "oneone and more 12 1\n")
            try await stage.settle()
            let shown = try await stage.shell("cat * | sort; ls | wc -l")
            #expect(
                shown.hasSuffix("2\n") && shown.contains("two") && shown.contains("one and more"))
        }
    }

    @Test("gives it to others, also where no name leads to it", arguments: ["rm f", "mv g f"])
    func givenOn(_ step: String) async throws {
        try await MountStage.play { stage in
            try stage.put("f", "old")
            try await stage.settle()
            let said = try await stage.shell(
                """
                printf new >g; cat f >../f; exec 9<>f; \(step); cat /dev/fd/9; printf ' and more' >>/dev/fd/9
                cat /dev/fd/9; cat f 2>/dev/null || true
                """)
            #expect(said == "oldold and more" + (step == "rm f" ? "" : "new"))
        }
    }

    @Test("sets modes and dates of what has come in its place, by its name")
    func changedByName() async throws {
        try await MountStage.play { stage in
            try stage.put("f", "0")
            try await stage.settle()
            var held: [Int32] = []
            defer { for descriptor in held { close(descriptor) } }
            for round in 1...20 {
                held.append(open(stage.mounted + "/f", O_RDONLY))
                try stage.put("f", "\(round)")
                try await stage.settle()
                try await stage.shell("chmod 6\(round % 8)0 f; touch -d @7 f")
                let expected = "6\(round % 8)0 7\n"
                let said = try await stage.shell("stat -c '%a %Y' f", untilItSays: expected)
                #expect(said == expected)
            }
        }
    }
}
