import FileProviderMount
import Foundation
import Glibc
import Testing

/// What a folder has besides files: what stays on this device, what tells of items, what desktops look for.
@Suite("Around a mounted domain", .enabled(if: MountStage.isPossible), .serialized)
struct SpecialTests {
    @Test("keeps FIFOs and sockets here, and gives them to nobody")
    func fifos() async throws {
        try await MountStage.play { stage in
            try await stage.shell(
                """
                mkfifo line; mkdir folder; mkfifo folder/line
                (echo through >line &) ; test "$(cat line)" = through
                test "$(stat -c %F line)" = fifo; chmod 600 line; test "$(stat -c %a line)" = 600
                ls | grep -qx line
                if rmdir folder 2>/dev/null; then false; fi
                mv line folder/other; test -p folder/other; if test -e line; then false; fi
                rm folder/line folder/other; rmdir folder
                python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.bind("meeting"); s.listen(); c=socket.socket(socket.AF_UNIX); c.connect("meeting")'
                test -S meeting
                if mkfifo meeting 2>/dev/null; then false; fi
                """)
            try await stage.settle()
            #expect(try FileManager.default.contentsOfDirectory(atPath: stage.served).isEmpty)
        }
    }

    @Test("tells by attributes how an item is, and takes tags as desktops write them")
    func attributes() async throws {
        try await MountStage.play { stage in
            try stage.put("file", "far away")
            try await stage.settle()
            try await stage.shell(
                """
                test "$(getfattr --only-values -n user.basket.state file)" = synced
                test "$(getfattr --only-values -n user.basket.content file)" = none
                cat file >/dev/null
                test "$(getfattr --only-values -n user.basket.content file)" = whole
                test "$(getfattr --only-values -n user.basket.pinned file)" = 0
                if setfattr -n user.basket.state -v x file 2>/dev/null; then false; fi
                if setfattr -n user.basket.nonsense -v x file 2>/dev/null; then false; fi
                setfattr -n user.xdg.tags -v 'red,at home' file
                test "$(getfattr --only-values -n user.xdg.tags file)" = 'red,at home'
                setfattr -n user.xdg.tags -v 'red, at home,' file
                test "$(getfattr --only-values -n user.xdg.tags file)" = 'red, at home,'
                setfattr -n user.xdg.tags -v '' file; getfattr -d file | grep -qx 'user.xdg.tags=""'
                setfattr -n user.xdg.tags -v 'red' file
                setfattr -n user.note -v mine file
                test "$(getfattr -d file | grep -c =)" = 2
                setfattr -x user.xdg.tags file
                if getfattr --only-values -n user.xdg.tags file 2>/dev/null; then false; fi
                """)
        }
    }

    @Test("shows the trash where desktops look for it, and tells where things were")
    func trash() async throws {
        try await MountStage.play { stage in
            try await stage.shell(
                """
                mkdir -p 'some folder'; echo text >'some folder/fi le'
                T=.Trash-$(id -u); mkdir -p $T/files $T/info
                (set -C; printf '[Trash Info]\\nPath=x\\nDeletionDate=2026-01-01T00:00:00\\n' >$T/info/'fi le.trashinfo')
                mv 'some folder/fi le' $T/files/'fi le'
                test "$(cat $T/files/'fi le')" = text
                ls $T/files | grep -qx 'fi le'; ls $T/info | grep -qx 'fi le.trashinfo'
                grep -qx 'Path=some%20folder/fi%20le' $T/info/'fi le.trashinfo'
                if (set -C; echo >$T/info/'fi le.trashinfo') 2>/dev/null; then false; fi
                if ls -A | grep -q Trash; then false; fi
                mv $T/files/'fi le' back; rm -f $T/info/'fi le.trashinfo'
                test "$(cat back)" = text; if test -e $T/info/'fi le.trashinfo'; then false; fi
                """)
        }
    }

    @Test("tells those who watch a folder of what others change")
    func watching() async throws {
        try await MountStage.play { stage in
            try stage.put("old", "one")
            try stage.put("changing", "one")
            try stage.put("moving", "one")
            try await stage.settle()
            try await stage.shell("ls -l; cat changing")
            let heard = stage.served + "-heard"
            let watcher = Process()
            watcher.executableURL = URL(fileURLWithPath: "/usr/bin/inotifywait")
            watcher.arguments = [
                "-q", "-m", "-e", "create,delete,modify,move,close_write", "--format", "%e %f",
                "-o", heard, stage.mounted,
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
            for number in 0..<300 where try Data(contentsOf: URL(fileURLWithPath: heard)).isEmpty {
                try stage.put("sign \(number)", "of life")
                try await stage.settle()
                try await Task.sleep(for: .milliseconds(100))
            }

            try stage.put("new", "two")
            try FileManager.default.createDirectory(
                atPath: stage.served + "/folder", withIntermediateDirectories: false)
            try stage.put("changing", "three")
            try FileManager.default.removeItem(atPath: stage.served + "/old")
            #expect(rename(stage.served + "/moving", stage.served + "/moved") == 0)
            try await stage.settle()
            var lines: [Substring] = []
            for _ in 0..<100 {
                let text = try String(contentsOfFile: heard, encoding: .utf8)
                lines = text.split(separator: "\n")
                if lines.contains("MOVED_TO moved") && lines.contains("DELETE old") { break }
                try await Task.sleep(for: .milliseconds(50))
            }

            for line in [
                "CREATE new", "CREATE,ISDIR folder",
                "CLOSE_WRITE,CLOSE changing", "DELETE old", "MOVED_FROM moving", "MOVED_TO moved",
            ] {
                #expect(lines.contains { $0 == line }, "\(line): \(lines)")
            }
            try await stage.shell(
                "test \"$(cat changing new moved)\" = threetwoone; if test -e old; then false; fi; test -d folder"
            )
        }
    }
}
