import Foundation
import Glibc
import Synchronization
import Testing

/// The kernel keeps what was read of a file for as long as it is not told otherwise, for whoever reads it next.
@Suite(
    "What the kernel keeps of a file's bytes", .timeLimit(.minutes(5)),
    .enabled(if: MountStage.isPossible))
struct StaleBytesTests {
    @Test("is forgotten when others have changed it, though somebody asks about the file just then")
    func askedMeanwhile() async throws {
        try await MountStage.play { stage in
            try stage.put("file", "round 0 of many, with a tail")
            try await stage.settle()
            let path = stage.mounted + "/file"
            let isOver = Atomic(false)
            async let asking: Void = withCheckedContinuation { ended in
                Thread.detachNewThread {
                    while !isOver.load(ordering: .relaxed) {
                        // A listing tells of what is listed, too.
                        guard let folder = opendir(stage.mounted) else { break }
                        while readdir(folder) != nil {}
                        closedir(folder)
                        var facts = stat()
                        stat(path, &facts)
                    }
                    ended.resume()
                }
            }
            var stale: [String] = []
            for round in 1...100 {
                let text = "round \(round)"
                _ = try String(contentsOfFile: path, encoding: .utf8)
                try stage.put("file", text)
                try await stage.settle()
                var seen = ""
                // It is told a moment later; what was missed stays for good.
                for _ in 0..<200 where seen != text {
                    try await Task.sleep(for: .milliseconds(5))
                    seen = try String(contentsOfFile: path, encoding: .utf8)
                }
                if seen != text { stale.append("\(seen) for \(text)") }
            }
            isOver.store(true, ordering: .relaxed)
            await asking
            #expect(stale.isEmpty)
        }
    }

    @Test("is not what somebody reads on in who has had it open since before others changed it")
    func openedBefore() async throws {
        try await MountStage.play { stage in
            let (old, new) = (
                String(repeating: "o", count: 4 << 20), String(repeating: "n", count: 4 << 20)
            )
            try stage.put("file", old)
            try await stage.settle()
            try await stage.shell("cat file >/dev/null")
            // Only the beginning is kept.
            try await stage.shell("dd if=file iflag=nocache count=0 status=none")
            let path = stage.mounted + "/file"
            let before = Glibc.open(path, O_RDONLY)
            defer { close(before) }
            func text(_ descriptor: Int32, at offset: Int) -> String {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
                return String(decoding: Set(bytes.prefix(max(0, count))), as: UTF8.self)
            }
            #expect(text(before, at: 0) == "o")
            try stage.put("file", new)
            try await stage.settle()
            try await Task.sleep(for: .milliseconds(200))

            for offset in [0, 1 << 20, 3 << 20] { #expect(text(before, at: offset) == "o") }
            try await Task.sleep(for: .milliseconds(200))
            let after = Glibc.open(path, O_RDONLY)
            defer { close(after) }
            for offset in [0, 1 << 20, 2 << 20, 3 << 20] {
                for _ in 0..<200 where text(after, at: offset) != "n" {
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(text(after, at: offset) == "n")
            }
        }
    }
}
