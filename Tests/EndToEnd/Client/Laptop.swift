import BasketSupport
import Foundation
import Glibc
import Synchronization

/// A machine of a person's, as far as Basket can tell: a home folder of its own, and in it the client's real daemon with its
/// real mounts.
final class Laptop: Sendable {
    /// Whether mounts can be made here.
    static let isPossible = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    private static let program = BuiltProgram.path(of: "basket", variable: "BASKET_PROGRAM")

    let name: String
    /// Its home folder.
    private let home: String
    private let owned: TemporaryFolder?
    private let bus: String?
    private let daemon = Mutex<ChildProcess?>(nil)

    /// - Parameters:
    ///   - home: where its home folder is; one that goes away with it if nil.
    ///   - bus: the address of the machine's message bus; there is none if nil.
    init(_ name: String = "laptop", home: String? = nil, bus: String? = nil) throws {
        self.name = name
        self.bus = bus
        owned = home == nil ? try TemporaryFolder() : nil
        self.home = home ?? owned?.path ?? ""
        try startDaemon()
    }

    deinit {
        stopDaemon()
        // What a killed daemon has left.
        for domain in (try? FileManager.default.contentsOfDirectory(atPath: domains)) ?? [] {
            umount2("\(domains)/\(domain)", Int32(MNT_DETACH))
        }
    }

    var domains: String { home + "/Basket" }
    var data: String { home + "/.local/share/basket" }

    var sockets: String { home + "/run/basket" }

    private var environment: [String: String] {
        [
            "HOME": home, "XDG_RUNTIME_DIR": home + "/run",
            "XDG_DATA_HOME": home + "/.local/share",
            "DBUS_SYSTEM_BUS_ADDRESS": bus ?? "unix:path=/nowhere",
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
        let process = try ChildProcess(
            Self.program, words, environment: environment, input: input)
        let ending = process.wait(upTo: limit)
        return (ending, process.output.text, process.errors.text)
    }

    /// The same for what has to go well.
    @discardableResult
    func expect(_ words: String..., input: String = "") throws -> String {
        let (ending, output, errors) = try basket(words, input: input)
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
    func settle(_ domain: String) throws {
        try expect("wait", domain)
    }

    /// Runs a script in a folder, which is where it works.
    /// - Returns: what it has printed.
    @discardableResult
    static func shell(
        _ script: String, in folder: String, upTo limit: Duration = .seconds(120)
    ) throws -> String {
        let process = try ChildProcess(
            "/bin/bash", ["-euo", "pipefail", "-c", "cd \"$0\"; \(script)", folder])
        let ending = process.wait(upTo: limit)
        guard ending == .exit(0) else {
            process.signal(SIGKILL)
            throw Failure(
                "\(script): \(ending.map { "\($0)" } ?? "does not end")\n\(process.errors.text)")
        }
        return process.output.text
    }

    // MARK: Processes

    func startDaemon() throws {
        let started = try ChildProcess(Self.program, ["daemon"], environment: environment)
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

    /// What the daemon and the hosts have said.
    var log: String { daemon.withLock { $0?.errors.text ?? "" } }

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
