import FolderProvider
import Foundation
import Testing

/// Who reads what is still on its way waits in the kernel, with a page that nobody else gets meanwhile.
@Suite(
    "While somebody waits for a file's bytes", .timeLimit(.minutes(5)),
    .enabled(if: MountStage.isPossible))
struct SlowReaderTests {
    @Test("others save it, and see what has changed elsewhere")
    func saved() async throws {
        try await MountStage.play { stage in
            try stage.put("slow", String(repeating: "s", count: 3 << 20))
            try stage.put("other", "1")
            try await stage.settle()
            try await stage.shell("ls -l >/dev/null; cat other")
            stage.provider.hold(true)
            defer { stage.provider.hold(false) }
            async let reader = stage.shell("timeout -s KILL 20 cat slow >/dev/null; true")
            try await Task.sleep(for: .milliseconds(300))
            let said = try await stage.shell(
                """
                printf new >draft; timeout -s KILL 5 mv draft slow
                timeout -s KILL 5 cat slow
                """)
            #expect(said == "new")
            try stage.put("slower", "2")
            try stage.put("another", "")
            stage.provider.look()
            let names = "another\nother\nslow\nslower\n"
            #expect(try await stage.shell("ls", untilItSays: names) == names)
            stage.provider.hold(false)
            _ = try? await reader
        }
    }

    /// Each in a process of its own.
    private static let readers = """
        import os, signal, sys, time
        children = []
        for number in range(int(sys.argv[1])):
            child = os.fork()
            if child == 0:
                with open("slow %d" % number, "rb") as file: file.read()
                os._exit(0)
            children.append(child)
        time.sleep(1)
        with open("here", "rb") as file: os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        start = time.time()
        with open("here", "rb") as file: count = len(file.read())
        print(count, "bytes", "at once" if time.time() - start < 5 else "late", flush=True)
        for child in children: os.kill(child, signal.SIGKILL)
        start = time.time()
        ends = set(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
        print(ends, "at once" if time.time() - start < 5 else "late")
        """

    @Test("others read what is here, however many wait; and a signal ends who waits")
    func many() async throws {
        try await MountStage.play { stage in
            for number in 0..<Self.most { try stage.put("slow \(number)", "text") }
            try stage.put("here", String(repeating: "h", count: 3 << 20))
            try await stage.settle()
            try await stage.shell("ls -l >/dev/null; cat here >/dev/null")
            stage.provider.hold(true)
            defer { stage.provider.hold(false) }
            let script = stage.served + "-readers.py"
            defer { unlink(script) }
            try Self.readers.write(toFile: script, atomically: true, encoding: .utf8)
            let said = try await stage.shell(
                "timeout -s KILL 60 python3 '\(script)' \(Self.most)")
            #expect(said == "\(3 << 20) bytes at once\n{-9} at once\n")
        }
    }

    private static let most = 300
}
