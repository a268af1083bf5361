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
}
