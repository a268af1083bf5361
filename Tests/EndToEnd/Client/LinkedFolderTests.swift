import Foundation
import Testing

extension EndToEnd {
    /// Many have their files on another disk than their home folder.
    @Suite(
        "A folder of domains that lies elsewhere, by way of a link",
        .enabled(if: Laptop.isPossible), .timeLimit(.minutes(3)))
    struct LinkedFolderTests {
        @Test("is known by both names, and a dead mount in it is taken away")
        func linked() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let folder = try TemporaryFolder()
            let (home, disk) = (folder.path + "/home", folder.path + "/disk")
            for path in [home, disk] {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                atPath: home + "/Basket", withDestinationPath: disk)
            let laptop = try Laptop(home: home)
            let place = try laptop.connect("Work", to: server)
            #expect(place == home + "/Basket/Work")
            try laptop.shell("echo text >a", in: disk + "/Work")
            try laptop.settle("Work")
            for path in [place + "/a", disk + "/Work/a"] {
                #expect(try laptop.expect("why", path).contains("bytes here"))
            }

            try laptop.killAll(of: "Work")
            try laptop.startDaemon()
            #expect(try laptop.shell("cat a", in: disk + "/Work") == "text\n")
            let table = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
            #expect(table.split(separator: "\n").filter { $0.contains(disk) }.count == 1)
            #expect(try laptop.expect("doctor").contains("No dead mount is left."))
        }
    }
}
