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
    private let known = Mutex<[Int32: Known]>([:])

    init(world: World) {
        files = world.files
        uptime = world.uptime
    }

    func program(of process: Int32) -> Program {
        let now = uptime()
        guard let name = name(of: process) else { return Program(name: "") }
        if let known = known(process, at: now), known.name == name { return known }
        return note(Program(name: name, unit: unit(of: process)), of: process, at: now)
    }

    /// The same of one that makes a file: all of it is here, and nothing is decided by what it is called.
    func maker(_ process: Int32) -> Program {
        known(process, at: uptime()) ?? program(of: process)
    }

    private func known(_ process: Int32, at now: Duration) -> Program? {
        guard let found = known.withLock({ $0[process] }), found.until > now else { return nil }
        return found.program
    }

    private func note(_ program: Program, of process: Int32, at now: Duration) -> Program {
        known.withLock { known in
            if known.count >= Self.mostKnown { known = known.filter { $0.value.until > now } }
            if known.count >= Self.mostKnown { known = [:] }
            known[process] = Known(program: program, until: now + Self.validity)
        }
        return program
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
