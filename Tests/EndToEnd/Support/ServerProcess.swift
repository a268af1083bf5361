import BasketSupport
import Glibc
import Synchronization

/// The real server with a data folder of its own: started on a port that the system chooses,
/// stopped, killed, and started again on the same data.
final class ServerProcess: Sendable {
    private struct State {
        var process: ChildProcess
        var port: UInt16
    }

    /// Where it keeps its data.
    let folder: String
    /// The first account's password.
    let password: String
    /// Of a device of the first account.
    let token: String
    private let options: [String]
    private let wrapper: [String]
    private let environment: [String: String]
    private let owned: TemporaryFolder?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - folder: where to keep the data; a folder that goes away with the server if nil.
    ///   - wrapper: a command that becomes the one that follows it.
    init(
        _ options: [String] = [], folder: String? = nil, environment: [String: String] = [:],
        wrapper: [String] = []
    ) throws {
        owned = folder == nil ? try TemporaryFolder() : nil
        self.folder = folder ?? (owned.map { $0.path + "/data" } ?? "")
        self.options = options
        self.environment = environment
        self.wrapper = wrapper
        let (process, port) = try Self.start(
            wrapper + Self.command(self.folder, options), environment)
        guard let line = process.errors.line(with: "  password  ") else {
            throw Failure("no password was shown")
        }
        password = line.split(separator: " ").last.map(String.init) ?? ""
        token = try Self.logIn(port, password)
        state = Mutex(State(process: process, port: port))
    }

    var port: UInt16 { state.withLock { $0.port } }
    var process: ChildProcess { state.withLock { $0.process } }

    /// Somebody with the first account's device.
    func caller() -> Caller { Caller(port: port, token: token) }

    /// Somebody whom nobody knows.
    func stranger() -> Caller { Caller(port: port) }

    /// Makes a member, and logs it in.
    func member(_ name: String) throws -> Caller {
        let admin = caller()
        let password = Self.password(of: name)
        try admin.expect(
            201,
            try admin.post(
                "/v1/accounts", ["name": .string(name), "password": .string(password)]))
        let token = try Self.logIn(port, password, account: name)
        return Caller(port: port, token: token)
    }

    static func password(of member: String) -> String { "correct horse of \(member)" }

    // MARK: Life and death

    /// Ends it in good order.
    @discardableResult
    func stop(upTo limit: Duration = .seconds(60)) -> ChildProcess.Ending? {
        process.signal(SIGTERM)
        return process.wait(upTo: limit)
    }

    /// Ends it as a power cut would, but for what the kernel holds.
    func kill() {
        process.signal(SIGKILL)
        process.wait()
    }

    /// Starts it again on the same data, at another port.
    func restart() throws {
        let (process, port) = try Self.start(
            wrapper + Self.command(folder, options), environment)
        state.withLock { $0 = State(process: process, port: port) }
    }

    /// Starts it and kills it that soon, most often before it listens.
    func startInVain(for moment: Duration) throws {
        let command = Self.command(folder, options)
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: environment)
        process.wait(upTo: moment)
        process.signal(SIGKILL)
        process.wait()
    }

    /// Memory in use, in KiB.
    var residentKiB: Int {
        let bytes = (try? LinuxFileSystem().contents(of: "/proc/\(process.number)/status")) ?? []
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    // MARK: Starting

    private static func start(
        _ command: [String], _ environment: [String: String]
    ) throws -> (ChildProcess, UInt16) {
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: environment)
        guard let line = process.errors.line(with: " listens on "),
            let digits = line.split(separator: ":").last, let port = UInt16(digits)
        else { throw Failure("the server does not start:\n\(process.errors.text)") }
        return (process, port)
    }

    private static func command(_ folder: String, _ options: [String]) -> [String] {
        let address = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        return [ServerProgram.path, "serve", "--data", folder] + address + options
    }

    static func logIn(
        _ port: UInt16, _ password: String, account: String = "admin", device: String = "test"
    ) throws -> String {
        let caller = Caller(port: port)
        let json = try caller.expect(
            201,
            try caller.post(
                "/v1/sessions",
                [
                    "account": .string(account), "password": .string(password),
                    "device": .string(device),
                ]))
        guard let token = json["token"].string else { throw Failure("no token") }
        return token
    }
}
