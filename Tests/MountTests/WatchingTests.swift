import Foundation
import Glibc
import Testing

/// A program that watches the mounted folder, as file managers and builds do.
@Suite(
    "Who watches a folder", .timeLimit(.minutes(5)), .enabled(if: MountStage.isPossible))
struct WatchingTests {
    /// Has somebody watch a folder of the mount from now on.
    /// - Parameter body: is given what was heard so far.
    private static func watch(
        _ folder: String, of stage: MountStage,
        _ body: (() throws -> [Substring]) async throws -> Void
    ) async throws {
        let heard = stage.served + "-heard"
        let watcher = Process()
        watcher.executableURL = URL(fileURLWithPath: "/usr/bin/inotifywait")
        watcher.arguments = [
            "-q", "-m", "-e", "create,delete,modify,move,close_write,attrib", "--format", "%e %f",
            "-o", heard, folder,
        ]
        try watcher.run()
        defer {
            kill(watcher.processIdentifier, SIGKILL)
            watcher.waitUntilExit()
        }
        try await stage.shell(
            "until grep -q '^inotify wd' /proc/\(watcher.processIdentifier)/fdinfo/*; do sleep 0.1; done"
        )
        // It may take a while until somebody looks again who watches.
        let sign = String(folder.dropFirst(stage.mounted.count)) + "/sign"
        for number in 0..<300 where try Data(contentsOf: URL(fileURLWithPath: heard)).isEmpty {
            try stage.put("\(sign) \(number)", "of life")
            try await stage.settle()
            try await Task.sleep(for: .milliseconds(100))
        }
        try await body { try String(contentsOfFile: heard, encoding: .utf8).split(separator: "\n") }
    }

    /// Waits until somebody has heard all that.
    private static func expect(
        _ lines: [Substring], in heard: () throws -> [Substring]
    ) async throws {
        var found: [Substring] = []
        for _ in 0..<100 {
            found = try heard().filter { !$0.contains("sign") }
            if lines.allSatisfy(found.contains) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("\(lines) in \(found)")
    }

    @Test("finds each file by its own name after others have exchanged two of them")
    func exchanged() async throws {
        try await MountStage.play { stage in
            try stage.put("one", "1")
            try stage.put("two", "2")
            try await stage.settle()
            try await stage.shell("ls -l; cat one two")
            try await Self.watch(stage.mounted, of: stage) { heard in
                for round in 1...10 {
                    // The kernel has lost one of the names, as after any other change there.
                    try await stage.shell("sleep 0.1; cat one >/dev/null")
                    for (old, new) in [("one", "aside"), ("two", "one"), ("aside", "two")] {
                        #expect(rename(stage.served + "/" + old, stage.served + "/" + new) == 0)
                    }
                    try await stage.settle()
                    let expected = round.isMultiple(of: 2) ? "12" : "21"
                    #expect(
                        try await stage.shell("cat one two", untilItSays: expected) == expected)
                    let numbers = "test $(stat -c %i one) != $(stat -c %i two)"
                    try await stage.shell(numbers)
                }
            }
        }
    }

    @Test("hears what others do to what no program has looked at")
    func unseen() async throws {
        try await MountStage.play { stage in
            for folder in ["watched", "other", "watched/empty"] {
                #expect(mkdir(stage.served + "/" + folder, 0o700) == 0)
            }
            for name in ["changing", "going", "moving", "leaving", "same"] {
                try stage.put("watched/\(name)", name)
            }
            try stage.put("other/coming", "in")
            try await stage.settle()
            try await Self.watch(stage.mounted + "/watched", of: stage) { heard in
                func served(_ path: String) -> String { stage.served + "/" + path }
                try stage.put("watched/changing", "something else")
                #expect(unlink(served("watched/going")) == 0)
                #expect(rmdir(served("watched/empty")) == 0)
                #expect(rename(served("watched/moving"), served("watched/moved")) == 0)
                #expect(rename(served("watched/leaving"), served("other/left")) == 0)
                #expect(rename(served("other/coming"), served("watched/come")) == 0)
                try await stage.settle()
                try await Self.expect(
                    [
                        "CLOSE_WRITE,CLOSE changing", "DELETE going", "DELETE,ISDIR empty",
                        "MOVED_FROM moving", "MOVED_TO moved", "MOVED_FROM leaving",
                        "MOVED_TO come",
                    ], in: heard)
                let all = try heard().filter { !$0.contains("sign") }
                #expect(all.count == 7, "\(all)")
                #expect(
                    try await stage.shell("ls watched | grep -v sign; cat watched/changing")
                        == "changing\ncome\nmoved\nsame\nsomething else")
            }
        }
    }
}
