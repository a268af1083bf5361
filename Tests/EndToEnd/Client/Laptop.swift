import BasketSupport
import Foundation
import Glibc
import Synchronization

/// A machine of a person's, as far as Basket can tell: a home folder of its own, and in it the client's real daemon with its
/// real mounts.
final class Laptop: Sendable {
    /// Whether mounts can be made here.
    static let isPossible = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    /// Whether everybody may.
    static var isPossibleForAll: Bool {
        var facts = stat()
        return isPossible && stat("/dev/fuse", &facts) == 0 && facts.st_mode & 0o006 == 0o006
    }

    private static let program = BuiltProgram.path(of: "basket", variable: "BASKET_PROGRAM")

    let name: String
    /// Its home folder.
    let home: String
    private let owned: TemporaryFolder?
    private let bus: String?
    private let sessionBus: String?
    /// Becomes the command that follows it, as the person whose machine it is; empty where that is who runs the tests.
    private let asUser: [String]
    /// Has the daemon that follows it take a file's word for which start of the machine this is; empty for this machine's.
    private let asStarted: [String]
    let program: String
    private let daemon = Mutex<ChildProcess?>(nil)

    /// - Parameters:
    ///   - home: where its home folder is; one that goes away with it if nil.
    ///   - user: whose machine it is, of those that the system knows; who runs the tests if nil.
    ///   - bus: the address of the machine's message bus; there is none if nil.
    ///   - sessionBus: the same of the person's desktop.
    ///   - boot: names the machine's present start; this machine's if nil.
    ///   - hasOwnProgram: whether it has a copy of the program for itself.
    init(
        _ name: String = "laptop", home: String? = nil, user: String? = nil, bus: String? = nil,
        sessionBus: String? = nil, boot: String? = nil, hasOwnProgram: Bool = false
    ) throws {
        self.name = name
        (self.bus, self.sessionBus) = (bus, sessionBus)
        owned = home == nil ? try TemporaryFolder() : nil
        self.home = home ?? owned?.path ?? ""
        // Where ours lies, others may not be let in.
        if user != nil || hasOwnProgram {
            program = self.home + "/basket"
            try FileManager.default.copyItem(atPath: Self.program, toPath: program)
        } else {
            program = Self.program
        }
        if let user {
            asUser = try Self.become(user, owning: self.home)
        } else {
            asUser = []
        }
        if let boot {
            asStarted = try Self.believe(boot, in: self.home)
        } else {
            asStarted = []
        }
        try startDaemon()
    }

    deinit {
        stopDaemon()
        // What a killed daemon has left.
        for domain in (try? FileManager.default.contentsOfDirectory(atPath: domains)) ?? [] {
            umount2("\(domains)/\(domain)", Int32(MNT_DETACH | MNT_FORCE))
        }
    }

    var domains: String { home + "/Basket" }
    var data: String { home + "/.local/share/basket" }

    var sockets: String { home + "/run/basket" }

    private static func become(_ user: String, owning folder: String) throws -> [String] {
        guard let entry = getpwnam(user)?.pointee else { throw Failure("nobody is called \(user)") }
        guard chown(folder, entry.pw_uid, entry.pw_gid) == 0 else { throw Failure("\(errno)") }
        return [
            "/usr/bin/setpriv", "--reuid", "\(entry.pw_uid)", "--regid", "\(entry.pw_gid)",
            "--clear-groups", "--",
        ]
    }

    private static func believe(_ boot: String, in home: String) throws -> [String] {
        let file = home + "/boot"
        try boot.write(toFile: file, atomically: true, encoding: .utf8)
        let script = """
            mount --make-private /proc; mount --bind '\(file)' /proc/sys/kernel/random/boot_id; exec "$@"
            """
        return [
            "/usr/bin/unshare", "--mount", "--propagation", "unchanged", "/bin/sh", "-ec", script,
            "sh",
        ]
    }

    private var environment: [String: String] {
        [
            "HOME": home, "XDG_RUNTIME_DIR": home + "/run",
            "XDG_DATA_HOME": home + "/.local/share",
            "DBUS_SYSTEM_BUS_ADDRESS": bus ?? "unix:path=/nowhere",
            "DBUS_SESSION_BUS_ADDRESS": sessionBus ?? "unix:path=/nowhere",
        ]
    }

    // MARK: Commands

    /// Runs a command to its end.
    @discardableResult
    func basket(
        _ words: String..., input: String = "", upTo limit: Duration = .seconds(60)
    ) throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
        try basket(words, input: input, upTo: limit)
    }

    func basket(
        _ words: [String], input: String = "", upTo limit: Duration = .seconds(60)
    ) throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
        let process = try start(words, input: input)
        let ending = process.wait(upTo: limit)
        return (ending, process.output.text, process.errors.text)
    }

    private func start(
        _ words: [String], by prefix: [String] = [], input: String = ""
    ) throws -> ChildProcess {
        let command = prefix + asUser + [program] + words
        return try ChildProcess(
            command[0], Array(command.dropFirst()), environment: environment, input: input)
    }

    /// The same for what has to go well.
    @discardableResult
    func expect(
        _ words: String..., input: String = "", upTo limit: Duration = .seconds(60)
    ) throws -> String {
        let (ending, output, errors) = try basket(words, input: input, upTo: limit)
        guard ending == .exit(0) else {
            throw Failure("basket \(words.joined(separator: " ")): \(errors)\n\(log)")
        }
        return output
    }

    /// Connects a domain of a server.
    /// - Returns: its folder.
    func connect(_ domain: String, to server: ServerProcess) throws -> String {
        let output = try expect(
            "connect", domain, "--server", "http://127.0.0.1:\(server.port)", "--account", "admin",
            "--password-stdin", "--device", name, input: server.password + "\n")
        return output.trimmingCharacters(in: .newlines)
    }

    /// Until everything that was changed until now is on both sides.
    func settle(_ domain: String, upTo limit: Duration = .seconds(60)) throws {
        try expect("wait", domain, upTo: limit)
    }

    /// Runs a script in a folder, which is where it works.
    /// - Returns: what it has printed.
    @discardableResult
    static func shell(
        _ script: String, in folder: String, upTo limit: Duration = .seconds(120)
    ) throws -> String {
        try run(script, in: folder, [], [:], upTo: limit)
    }

    /// The same as the person whose machine it is, to whom alone its mounts are open.
    @discardableResult
    func shell(
        _ script: String, in folder: String, upTo limit: Duration = .seconds(120)
    ) throws -> String {
        try Self.run(script, in: folder, asUser, environment, upTo: limit)
    }

    private static func run(
        _ script: String, in folder: String, _ prefix: [String], _ environment: [String: String],
        upTo limit: Duration
    ) throws -> String {
        // What the script has started ends with it.
        let limited = ["/usr/bin/timeout", "--kill-after=5", "\(limit.components.seconds)"]
        let shell = ["/bin/bash", "-euo", "pipefail", "-c", "cd \"$0\"; \(script)", folder]
        let command = prefix + limited + shell
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: environment)
        let ending = process.wait(upTo: limit + .seconds(10))
        guard ending == .exit(0) else {
            process.signal(SIGKILL)
            let words = ending.map { $0 == .exit(124) ? "does not end" : "\($0)" }
            throw Failure(
                "\(script): \(words ?? "cannot be ended")\n\(process.output.text.suffix(2000))\n\(process.errors.text.suffix(4000))"
            )
        }
        return process.output.text
    }

    // MARK: Processes

    /// - Parameter variables: what else it has in its environment.
    func startDaemon(with variables: [String] = []) throws {
        let given = variables.isEmpty ? [] : ["/usr/bin/env"] + variables
        let started = try start(["daemon"], by: asStarted + given)
        guard started.errors.line(with: " ready ") != nil else {
            throw Failure("the daemon does not start:\n\(started.errors.text)")
        }
        daemon.withLock { $0 = started }
    }

    func stopDaemon() {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        running.signal(SIGTERM)
        running.wait(upTo: .seconds(30))
    }

    /// As a machine does that is short of memory.
    func killDaemon() {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        running.signal(SIGKILL)
        running.wait()
    }

    /// Nothing of it goes on from one moment on, in which something is to happen; all of it is gone afterwards.
    func cutPower<Value>(of domain: String, at moment: () throws -> Value) throws -> Value {
        guard let host = try host(of: domain), let daemon = process else {
            throw Failure("nobody hosts \(domain)")
        }
        for process in [daemon, host] { kill(process, SIGSTOP) }
        defer {
            for process in [daemon, host] { kill(process, SIGKILL) }
            // Before that, a thread of the daemon's may wait in the kernel for the host.
            umount2("\(domains)/\(domain)", Int32(MNT_DETACH | MNT_FORCE))
            killDaemon()
        }
        return try moment()
    }

    /// The daemon and the domain's host are killed at once, and nobody waits until they are gone: a thread of the daemon's
    /// may wait in the kernel for the host.
    func killAll(of domain: String) throws {
        guard let host = try host(of: domain), let daemon = daemon.withLock({ $0.take() }) else {
            throw Failure("nobody hosts \(domain)")
        }
        for process in [daemon.number, host] { kill(process, SIGSTOP) }
        usleep(200_000)
        for process in [host, daemon.number] { kill(process, SIGKILL) }
    }

    /// What the daemon and the hosts have said.
    var log: String { daemon.withLock { $0?.errors.text ?? "" } }

    /// The daemon's own process; nil while there is none.
    var process: pid_t? { daemon.withLock { $0?.number } }

    /// The process that hosts the domain; nil while there is none.
    func host(of domain: String) throws -> pid_t? {
        let line = try expect("status", "--json", domain, orEnding: 15)
        return try JSON(Array(line.utf8))["domain"]["process"].integer.map { pid_t($0) }
    }

    private func expect(_ words: String..., orEnding status: Int32) throws -> String {
        let (ending, output, errors) = try basket(words)
        guard ending == .exit(0) || ending == .exit(status) else { throw Failure(errors) }
        return output
    }

    func killHost(of domain: String) throws {
        if let host = try host(of: domain) { kill(host, SIGKILL) }
    }
}
