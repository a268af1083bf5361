import BasketSupport
import FileProviderHost
import Glibc
import Synchronization

/// Finds out which program asks.
final class ProgramFinder: Sendable {
    private struct Known {
        let program: Program
        let hasUnit: Bool
        let until: Duration
    }

    /// For so long a process is the program that it was: who opens a thousand files is looked at now and then.
    private static let validity = Duration.milliseconds(200)
    /// So many are remembered.
    private static let mostKnown = 64

    private let files: any FileSystem
    private let uptime: @Sendable () -> Duration
    private let known = Mutex<[Int32: Known]>([:])

    init(world: World) {
        files = world.files
        uptime = world.uptime
    }

    func program(of process: Int32) -> Program {
        program(of: process, withUnit: true)
    }

    /// The same of one that makes a file: all of it is here, and so nobody asks in which unit it runs.
    func maker(_ process: Int32) -> Program {
        program(of: process, withUnit: false)
    }

    private func program(of process: Int32, withUnit: Bool) -> Program {
        let now = uptime()
        let known = known.withLock { $0[process] }
        if let known, known.until > now, known.hasUnit || !withUnit { return known.program }
        guard process > 0, let name = text("/proc/\(process)/comm") else {
            return Program(name: "")
        }
        let program = Program(name: name, unit: withUnit ? unit(of: process) : nil)
        self.known.withLock { known in
            if known.count >= Self.mostKnown { known = known.filter { $0.value.until > now } }
            if known.count >= Self.mostKnown { known = [:] }
            known[process] = Known(
                program: program, hasUnit: withUnit, until: now + Self.validity)
        }
        return program
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
