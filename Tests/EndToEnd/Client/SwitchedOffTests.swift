import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite(
        "A domain that is switched off", .enabled(if: Laptop.isPossible), .serialized,
        .timeLimit(.minutes(5)))
    struct SwitchedOffTests {
        private static let unsafe = ChildProcess.Ending.exit(15)

        @Test("is never called safe, is not waited for, and hides nothing when it comes back")
        func off() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let laptop = try Laptop("laptop")
            let folder = try laptop.connect("Work", to: server)
            #expect(try laptop.basket("disable", "Work").ending == .exit(0))
            #expect(try laptop.basket("status").ending == Self.unsafe)
            #expect(try laptop.basket("wait", "Work").ending == .exit(12))

            try "saved".write(toFile: folder + "/stray", atomically: false, encoding: .utf8)
            #expect(try laptop.basket("enable", "Work").ending == .exit(0))
            let aside = folder + " (from before it was mounted)"
            #expect(try String(contentsOfFile: aside + "/stray", encoding: .utf8) == "saved")
            #expect(!FileManager.default.fileExists(atPath: folder + "/stray"))
            try laptop.settle("Work")
            let (ending, output, _) = try laptop.basket("status")
            // Nobody else has it.
            #expect(ending == Self.unsafe)
            #expect(output.contains(aside))
            #expect(try laptop.basket("doctor").output.contains(aside))
            try FileManager.default.removeItem(atPath: aside)
            #expect(try !laptop.basket("status").output.contains("mounted"))
            #expect(try laptop.basket("status").ending == .exit(0))
        }

        @Test("stays on, and is said to, while a program stands in its folder")
        func inUse() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let laptop = try Laptop("laptop")
            let folder = try laptop.connect("Work", to: server)
            let file = open(folder, O_RDONLY | O_DIRECTORY)
            for _ in 0..<2 {
                #expect(try laptop.basket("disable", "Work").ending == .exit(11))
            }
            close(file)
            #expect(try laptop.basket("status").ending == .exit(0))
            #expect(try laptop.basket("disable", "Work").ending == .exit(0))
        }

        @Test(
            "that cannot be started is said to fail, and is tried again when somebody asks for it")
        func failing() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let laptop = try Laptop("laptop")
            let folder = try laptop.connect("Work", to: server)
            try laptop.expect("disable", "Work")
            #expect(rmdir(folder) == 0)
            try "in the way".write(toFile: folder, atomically: false, encoding: .utf8)
            #expect(try laptop.basket("enable", "Work").ending != .exit(0))
            let (ending, output, _) = try laptop.basket("status")
            #expect(ending == Self.unsafe && !output.contains("switched off"))
            #expect(unlink(folder) == 0)
            try laptop.expect("enable", "Work")
            try laptop.settle("Work")
            #expect(try laptop.basket("status").ending == .exit(0))
        }
    }
}
