import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "A machine whose power is cut", .enabled(if: Laptop.isPossible && CuttableDisk.isPossible),
        .serialized,
        .timeLimit(.minutes(30)))
    struct PowerCutTests {
        private static let programs = 3

        @Test(
            "has what programs were told to be safe, and the same as the others", arguments: 1...3)
        func cut(seed: Int) throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let disk = try CuttableDisk(mebibytes: 256)
            let other = try Laptop("other")
            let mirror = try other.connect("Work", to: server)
            var kept: [String: String] = [:]
            for life in 1...3 {
                let (laptop, folder) = try Self.start(life, on: disk, server)
                var work = SafeWork()
                let programs = try (1...Self.programs).map { number in
                    try SafeWork.start(
                        as: "p\(life)\(number)", seed: seed * 10 + life, removals: 2, folders: 12,
                        in: folder)
                }
                for _ in 0..<(seed + life) {
                    usleep(700_000)
                    // Some of it is let go of, and fetched again later.
                    if seed > 1 { _ = try laptop.basket("evict", folder) }
                }

                let (said, frozen) = try laptop.cutPower(of: "Work") {
                    (programs.map { Self.lines(of: $0).count }, try disk.freeze())
                }
                for (program, before) in zip(programs, said) {
                    program.wait()
                    work.note(Self.lines(of: program), before: before)
                    #expect(before > 10, "\(program.errors.text)")
                }
                try disk.restart(with: frozen)

                let (after, same) = try Self.start(life + 1, on: disk, server)
                try after.settle("Work")
                let files = try Self.files(in: same)
                #expect(work.faults(in: files.filter { kept[$0.key] == nil }) == [])
                #expect(kept.allSatisfy { files[$0.key] == $0.value })
                kept = files
                let isSame = try Patience.until(upTo: .seconds(60)) {
                    try Self.files(in: mirror) == Self.files(in: same)
                }
                #expect(isSame)
                #expect(try after.basket("status").ending == .exit(0))
            }
        }

        @Test("has each row that a database was told to be safe, whatever its journal")
        func database() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let disk = try CuttableDisk(mebibytes: 256)
            for life in 1...3 {
                let (laptop, folder) = try Self.start(life, on: disk, server)
                let bases = SafeDatabase.modes.map { SafeDatabase(mode: $0, in: folder) }
                let programs = try bases.map { try $0.start() }
                usleep(useconds_t(2_000_000 + 300_000 * life))
                let (said, frozen) = try laptop.cutPower(of: "Work") {
                    (
                        programs.map { Self.lines(of: $0).last.flatMap { Int($0) } ?? 0 },
                        try disk.freeze()
                    )
                }
                for program in programs { program.wait() }
                try disk.restart(with: frozen)
                let (after, same) = try Self.start(life + 1, on: disk, server)
                for (mode, safe) in zip(SafeDatabase.modes, said) {
                    #expect(safe > 5)
                    let faults = try SafeDatabase(mode: mode, in: same).faults(safe: safe)
                    #expect(faults == [])
                }
                try after.settle("Work")
                #expect(try after.basket("status").ending == .exit(0))
            }
        }

        /// The machine after one more start.
        private static func start(
            _ life: Int, on disk: CuttableDisk, _ server: ServerProcess
        ) throws -> (Laptop, String) {
            let laptop = try Laptop(home: disk.path, boot: "boot \(life)")
            let folder = laptop.domains + "/Work"
            if access(folder, F_OK) != 0 { _ = try laptop.connect("Work", to: server) }
            return (laptop, folder)
        }

        private static func lines(of program: ChildProcess) -> [Substring] {
            program.output.text.split(separator: "\n")
        }

        private static func files(in folder: String) throws -> [String: String] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            return try names.reduce(into: [:]) { files, name in
                let path = folder + "/" + name
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                if isFolder.boolValue { return }
                files[name] = try String(contentsOfFile: path, encoding: .utf8)
            }
        }
    }
}
