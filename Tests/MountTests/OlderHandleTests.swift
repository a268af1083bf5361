import Foundation
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
}
