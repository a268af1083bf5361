import BasketSupport
import FileProviderHost
import Glibc
import Synchronization

/// Finds out which program asks.
final class ProgramFinder: Sendable {
    private struct Known {
        let program: Program
        let until: Duration
    }

    /// For so long a process is where it was: who opens a thousand files is looked at now and then. What it is called is
    /// looked at each time where that decides whether bytes are brought here: it may have become another program.
    private static let validity = Duration.milliseconds(200)
    /// So many are remembered.
    private static let mostKnown = 64

    private let files: any FileSystem
    private let uptime: @Sendable () -> Duration
    private let openers = Mutex<[Int32: Known]>([:])
    private let makers = Mutex<[Int32: Known]>([:])

    init(world: World) {
        files = world.files
        uptime = world.uptime
    }

    func program(of process: Int32) -> Program {
        let now = uptime()
        guard let name = name(of: process) else { return Program(name: "") }
        let known = openers.withLock { $0[process] }
        if let known, known.until > now, known.program.name == name { return known.program }
        let program = Program(name: name, unit: unit(of: process))
        Self.note(program, of: process, in: openers, at: now)
        return program
    }

    /// The same of one that makes a file: all of it is here, and so nobody asks in which unit it runs.
    func maker(_ process: Int32) -> Program {
        let now = uptime()
        let known = makers.withLock { $0[process] }
        if let known, known.until > now { return known.program }
        guard let name = name(of: process) else { return Program(name: "") }
        let program = Program(name: name)
        Self.note(program, of: process, in: makers, at: now)
        return program
    }

    private static func note(
        _ program: Program, of process: Int32, in known: borrowing Mutex<[Int32: Known]>,
        at now: Duration
    ) {
        known.withLock { known in
            if known.count >= mostKnown { known = known.filter { $0.value.until > now } }
            if known.count >= mostKnown { known = [:] }
            known[process] = Known(program: program, until: now + validity)
        }
    }

    private func name(of process: Int32) -> String? {
        process > 0 ? text("/proc/\(process)/comm") : nil
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
