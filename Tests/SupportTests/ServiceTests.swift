import BasketSupport
import Glibc
import Testing

/// A datagram socket that plays the service manager.
private final class ManagerSocket: Sendable {
    let name: String
    private let descriptor: CInt
    private let path: String?

    /// - Parameter isAbstract: under a name that no file system holds, else under a path.
    init(isAbstract: Bool) throws {
        let unique = "\(getpid())-\(UInt64.random(in: 0 ... .max))"
        path = isAbstract ? nil : "/tmp/basket-notify-\(unique)"
        name = path ?? "@basket-notify-\(unique)"
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count)
        let failure = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
            }
        }
        try #require(failure == 0)
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// The next message, or nil where none was sent.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}

@Suite("The service manager")
struct ServiceTests {
    @Test("hears how the program is", arguments: [true, false])
    func notifications(isAbstract: Bool) throws {
        let manager = try ManagerSocket(isAbstract: isAbstract)
        let notifier = ServiceNotifier(
            environment: ["NOTIFY_SOCKET": manager.name], processID: getpid())

        notifier.ready(status: "listens\nWATCHDOG=trigger")
        #expect(manager.receive() == "READY=1\nSTATUS=listens WATCHDOG=trigger")
        notifier.reloading(uptime: .milliseconds(5))
        #expect(manager.receive() == "RELOADING=1\nMONOTONIC_USEC=5000")
        notifier.watchdog()
        #expect(manager.receive() == "WATCHDOG=1")
        notifier.stopping()
        #expect(manager.receive() == "STOPPING=1")
        #expect(manager.receive() == nil)
    }

    @Test(
        "is not there, and nothing happens",
        arguments: [
            nil, "", "relative", "@", "/nowhere/at/all", "/" + String(repeating: "x", count: 200),
        ])
    func absent(socket: String?) {
        let environment = socket.map { ["NOTIFY_SOCKET": $0] } ?? [:]
        ServiceNotifier(environment: environment, processID: 1).ready(status: "here")
    }

    @Test(
        "says how often it wants to hear of a living program",
        arguments: [
            (["WATCHDOG_USEC": "30000000"], Duration.seconds(30)),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(30)),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ] as [([String: String], Duration?)])
    func watchdog(environment: [String: String], interval: Duration?) {
        let notifier = ServiceNotifier(environment: environment, processID: 7)
        #expect(notifier.watchdogInterval == interval)
    }

    @Test(
        "hands over sockets that are meant for this process",
        arguments: [
            (["LISTEN_PID": "7", "LISTEN_FDS": "1"], ["3 unknown"]),
            (
                ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "https:http"],
                ["3 https", "4 http"]
            ),
            (
                ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "https"],
                ["3 https", "4 unknown"]
            ),
            (["LISTEN_PID": "8", "LISTEN_FDS": "1"], []),
            (["LISTEN_FDS": "1"], []),
            (["LISTEN_PID": "7", "LISTEN_FDS": "0"], []),
            (["LISTEN_PID": "7", "LISTEN_FDS": "-1"], []),
            (["LISTEN_PID": "7", "LISTEN_FDS": "2147483647"], []),
            (["LISTEN_PID": "7", "LISTEN_FDS": "many"], []),
            ([:], []),
        ] as [([String: String], [String])])
    func sockets(environment: [String: String], announced: [String]) {
        let found = InheritedSocket.announced(environment: environment, processID: 7)
        #expect(found.map { "\($0.descriptor) \($0.name)" } == announced)
    }

    @Test("hands over only what listens")
    func adoption() {
        let listening = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        let announced = InheritedSocket(descriptor: listening, name: "http")

        #expect(!announced.adopt())
        #expect(listen(listening, 1) == 0)
        #expect(announced.adopt())
        #expect(fcntl(listening, F_GETFD) == FD_CLOEXEC)
        #expect(announced.address?.host == "0.0.0.0", "every address of the machine")
        #expect(announced.address?.port != 0)
    }

    @Test("hands over doors to no network without an address")
    func unixSocket() {
        let local = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(local) }

        #expect(InheritedSocket(descriptor: local, name: "http").address == nil)
    }

    @Test("speaks through variables that are there")
    func variables() throws {
        let path = try #require(getenv("PATH"))
        #expect(ProcessEnvironment.variables()["PATH"] == String(cString: path))
    }
}
