import BasketSupport
import FileProviderHost
import Glibc

/// Finds out which program asks.
struct ProgramFinder: Sendable {
    let files: any FileSystem

    func program(of process: Int32) -> Program {
        guard process > 0, let name = text("/proc/\(process)/comm") else {
            return Program(name: "")
        }
        return Program(name: name, unit: unit(of: process))
    }

    /// The same of one that makes a file: all of it is here, and so nobody asks in which unit it runs.
    func maker(_ process: Int32) -> Program {
        Program(name: process > 0 ? text("/proc/\(process)/comm") ?? "" : "")
    }

    /// The last part of the control group that is a unit of systemd's.
    private func unit(of process: Int32) -> String? {
        text("/proc/\(process)/cgroup")?.split(whereSeparator: { $0 == "/" || $0 == "\n" })
            .last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") || $0.hasSuffix(".timer") }
            .map(String.init)
    }

    /// Files of the kernel's have no size.
    private func text(_ path: String) -> String? {
        guard let bytes = try? files.open(path).read(at: 0, count: 4096) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed())
    }
}
