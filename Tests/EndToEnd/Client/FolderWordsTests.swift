import CLinux
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What programs learn by way of nothing but the folder.
    @Suite(
        "A program in a domain's folder", .enabled(if: Laptop.isPossible),
        .timeLimit(.minutes(10)))
    struct FolderWordsTests {
        /// One of the attributes that tell how an item is; nil where it says nothing.
        private static func attribute(_ name: String, of path: String) -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = basket_get_attribute(path, "user.basket." + name, &bytes, bytes.count)
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }

        private static func set(_ name: String, to value: String, of path: String) -> Int32 {
            basket_set_attribute(path, "user.basket." + name, value, value.utf8.count) == 0
                ? 0 : errno
        }

        private static func comes(_ name: String, of path: String, to value: String?) -> Bool {
            Patience.until(upTo: .seconds(60)) { attribute(name, of: path) == value }
        }

        /// What opening and reading a file ends with.
        private static func reading(_ path: String) -> Int32 {
            let file = open(path, O_RDONLY)
            guard file >= 0 else { return errno }
            defer { close(file) }
            var byte: UInt8 = 0
            return read(file, &byte, 1) < 0 ? errno : 0
        }

        @Test("learns by attributes which version an item is, and whether it is safe")
        func states() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            try Laptop.shell("echo one >file; echo '*.tmp' >.basketignore; echo x >a.tmp", in: here)
            try left.settle("Work")

            #expect(Self.attribute("state", of: here + "/file") == "synced")
            #expect(Self.attribute("error", of: here + "/file") == nil)
            #expect(Self.attribute("state", of: here + "/a.tmp") == "local")
            let first = try #require(Self.attribute("version", of: here + "/file"))
            #expect(Self.comes("version", of: there + "/file", to: first))

            server.kill()
            try Laptop.shell("echo two >>file", in: here)
            #expect(Self.attribute("state", of: here + "/file") == "waiting")
            try server.restart()
            try left.settle("Work")
            #expect(Self.attribute("state", of: here + "/file") == "synced")
            let second = try #require(Self.attribute("version", of: here + "/file"))
            #expect(second != first)
            #expect(Self.comes("version", of: there + "/file", to: second))
        }

        @Test("learns by attributes what is wrong with a file, until nothing is")
        func trouble() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            let admin = server.caller()
            let change = { (quota: JSON) in
                _ = try admin.expect(
                    200, try admin.call("PATCH", "/v1/domains/Work", json: ["quota": quota]))
            }
            try change(1000)
            try Laptop.shell("head -c 100000 /dev/zero >large; echo small >small", in: folder)

            let large = folder + "/large"
            #expect(Self.comes("state", of: large, to: "failed"))
            #expect(Self.attribute("error", of: large)?.isEmpty == false)
            // One that does not fit keeps no other one back.
            #expect(Self.comes("state", of: folder + "/small", to: "synced"))

            try change(.null)
            #expect(Self.comes("state", of: large, to: "synced"))
            #expect(Self.attribute("error", of: large) == nil)
        }

        @Test("keeps a file on the device by an attribute, and no longer")
        func pinning() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            try Laptop.shell("mkdir folder; echo one >folder/file", in: here)
            try left.settle("Work")
            let (folder, file) = (there + "/folder", there + "/folder/file")
            #expect(Self.comes("content", of: file, to: "none"))

            #expect(Self.set("pinned", to: "1", of: folder) == 0)
            #expect(Self.comes("content", of: file, to: "whole"))
            #expect(Self.comes("pinned", of: file, to: "1"))
            #expect(
                Patience.until(upTo: .seconds(30)) {
                    Self.attribute("decoration", of: folder)?.contains("Kept on this device")
                        == true
                })
            // Where it is to be kept is one device's matter.
            #expect(Self.attribute("pinned", of: here + "/folder") == "0")
            #expect(Self.set("pinned", to: "0", of: folder) == 0)
            #expect(Self.comes("pinned", of: file, to: "0"))
            #expect(Self.set("pinned", to: "perhaps", of: folder) == EINVAL)
            #expect(Self.set("state", to: "synced", of: file) == EPERM)
        }

        @Test(
            "is told of a server that is away, and of a device that was logged out, as of what they are"
        )
        func unreachable() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            try Laptop.shell("echo one >first; echo two >second; mkdir empty", in: here)
            try left.settle("Work")
            #expect(
                Patience.until(upTo: .seconds(60)) { access(there + "/second", F_OK) == 0 })

            server.kill()
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    Self.reading(there + "/first") == EHOSTUNREACH
                })
            // Names are there for all that, and what is not there is not.
            #expect(try Laptop.shell("ls", in: there) == "empty\nfirst\nsecond\n")
            #expect(try Laptop.shell("ls empty", in: there) == "")
            #expect(Self.reading(there + "/nothing") == ENOENT)

            try server.restart()
            #expect(Patience.until(upTo: .seconds(60)) { Self.reading(there + "/first") == 0 })
            let admin = server.caller()
            let devices = try admin.expect(200, try admin.get("/v1/devices"))
            let device = try #require(
                devices["devices"].array.first { $0["name"].string == "right" })
            _ = try admin.expect(
                204, try admin.delete("/v1/devices/\(device["id"].string ?? "")"))
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    Self.reading(there + "/second") == EKEYREJECTED
                })
            // Who asks once more hears the same.
            #expect(Self.reading(there + "/second") == EKEYREJECTED)
            #expect(Self.reading(there + "/first") == 0)
            #expect(
                Patience.until(upTo: .seconds(30)) {
                    let (ending, output, _) = (try? right.basket("status")) ?? (nil, "", "")
                    return ending == .exit(15) && output.contains("Log in again")
                })
        }

        @Test("that watches it hears of modes, dates and tags that others change")
        func watching() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            try Laptop.shell("for n in mode date tag; do echo $n >$n; done", in: here)
            try left.settle("Work")
            #expect(Patience.until(upTo: .seconds(60)) { access(there + "/tag", F_OK) == 0 })
            let watcher = try ChildProcess(
                "/usr/bin/inotifywait",
                ["--quiet", "--monitor", "--event", "attrib", "--format", "%e %f", there])
            defer { watcher.signal(SIGKILL) }
            // It may take a while until somebody looks again who watches.
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    _ = try? Laptop.shell("touch date; sleep 1", in: here)
                    return watcher.output.text.contains("ATTRIB date")
                })
            try Laptop.shell(
                "chmod 600 mode; touch -d '2001-01-01 UTC' date; setfattr -n user.xdg.tags -v red tag",
                in: here)

            for name in ["mode", "tag"] {
                #expect(
                    Patience.until(upTo: .seconds(60)) {
                        watcher.output.text.contains("ATTRIB \(name)\n")
                    }, "\(name): \(watcher.output.text)")
            }
            #expect(
                try Laptop.shell(
                    "stat -c '%a' mode; getfattr --only-values -n user.xdg.tags tag", in: there)
                    == "600\nred")
            #expect(
                Patience.until(upTo: .seconds(30)) {
                    (try? Laptop.shell("stat -c %Y date", in: there)) == "978307200\n"
                })
        }

        @Test("that watches it, or the trash, hears of what others throw away and bring back")
        func watchingTrash() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            try Laptop.shell(
                "mkdir d d/folder; for n in seen unseen; do echo $n >d/$n; done", in: here)
            try left.settle("Work")
            #expect(Patience.until(upTo: .seconds(60)) { access(there + "/d/seen", F_OK) == 0 })
            try right.settle("Work")
            try Laptop.shell("cat d/seen; ls .Trash-0/files", in: there)
            let watcher = try ChildProcess(
                "/usr/bin/inotifywait",
                [
                    "--quiet", "--monitor", "--event", "attrib,create,delete,move", "--format",
                    "%w%f %e", there + "/d", there + "/.Trash-0/files",
                ])
            defer { watcher.signal(SIGKILL) }
            func hears(_ events: String...) -> Bool {
                Patience.until(upTo: .seconds(60)) {
                    events.allSatisfy { watcher.output.text.contains("\(there)/\($0)\n") }
                }
            }
            // It may take a while until somebody looks again who watches.
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    _ = try? Laptop.shell("echo sign >d/sign; sleep 1; rm d/sign", in: here)
                    return watcher.output.text.contains("d/sign")
                })

            let trash = ".Trash-0/files"
            try Laptop.shell("mv d/seen d/unseen d/folder \(trash)/", in: here)
            #expect(
                hears(
                    "d/seen MOVED_FROM", "d/unseen MOVED_FROM", "d/folder MOVED_FROM,ISDIR",
                    "\(trash)/seen MOVED_TO", "\(trash)/unseen MOVED_TO",
                    "\(trash)/folder MOVED_TO,ISDIR"), "\(watcher.output.text)")
            #expect(try Laptop.shell("ls d; ls \(trash)", in: there) == "folder\nseen\nunseen\n")

            try Laptop.shell("mv \(trash)/seen d/back", in: here)
            #expect(hears("\(trash)/seen MOVED_FROM", "d/back MOVED_TO"), "\(watcher.output.text)")
            _ = try left.basket("trash", "Work", "--empty")
            #expect(
                hears("\(trash)/unseen DELETE", "\(trash)/folder DELETE,ISDIR"),
                "\(watcher.output.text)")
            #expect(try Laptop.shell("cat d/back; ls \(trash)", in: there) == "seen\n")
        }
    }
}
