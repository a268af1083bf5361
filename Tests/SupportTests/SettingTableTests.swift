import BasketSupport
import Testing

private enum Sample {
    static let listen = Setting(
        "listen", default: SocketAddress.loopback(port: 8080), help: "Where to listen.")
    static let data = Setting(
        "data", default: String?.none, help: "Where the data lies.", isAllowedInFile: false)
    static let workers = Setting("workers", default: 2, in: 1...64, help: "How many threads.")
    static let body = Setting("most-body", default: ByteCount(bytes: 1 << 20), help: "A limit.")
    static let idle = Setting("idle", default: Duration.seconds(30), help: "A time-out.")
    static let proxies = Setting(
        "trusted-proxy", default: [String](), help: "A proxy whose headers are believed.")
    static let trash = Setting("trash", default: true, help: "Whether there is a trash.")
    static let format = Setting("log-format", default: LogFormat.text, help: "How lines look.")
    static let token = Setting(
        "metrics-token", default: Int?.none, help: "What a reader of figures shows.",
        isSecret: true)
    static let table = SettingTable([
        listen, data, workers, body, idle, proxies, trash, format, token,
    ])
}

private func file(_ text: String) throws -> ConfigurationFile {
    try ConfigurationFile(path: "nas.conf", contents: Array(text.utf8))
}

@Suite("Settings")
struct SettingTableTests {
    @Test("have their defaults when nothing is said")
    func defaults() throws {
        let found = try Sample.table.resolve()
        #expect(found[Sample.listen].settingText == "127.0.0.1:8080")
        #expect(found[Sample.data] == nil)
        #expect(found[Sample.body].bytes == 1_048_576)
        #expect(found[Sample.trash])
        #expect(found.source(of: Sample.listen) == .builtIn)
    }

    @Test("weigh a flag over the environment, and that over the file")
    func weights() throws {
        let lines = try file("idle = 1s\nworkers = 3\nlog-format = json\n")
        let found = try Sample.table.resolve(
            flags: [("idle", "3s")],
            environment: ["BASKET_IDLE": "2s", "BASKET_WORKERS": "4", "HOME": "/root"], file: lines)

        #expect(found[Sample.idle] == .seconds(3))
        #expect(found.source(of: Sample.idle) == .flag("--idle"))
        #expect(found[Sample.workers] == 4)
        #expect(found.source(of: Sample.workers) == .environment("BASKET_WORKERS"))
        #expect(found[Sample.format] == .json)
        #expect(found.source(of: Sample.format).description == "nas.conf:3")
    }

    @Test("add up a list within one source, and replace it with a weightier one")
    func lists() throws {
        let lines = try file("trusted-proxy = a, b\ntrusted-proxy = c\n")
        #expect(try Sample.table.resolve(file: lines)[Sample.proxies] == ["a", "b", "c"])
        let flags = [(name: "trusted-proxy", text: "d")]
        #expect(try Sample.table.resolve(flags: flags, file: lines)[Sample.proxies] == ["d"])
    }

    @Test("refuse a list with a gap", arguments: [" ", ",", "a,", "a,,b"])
    func gaps(text: String) {
        #expect(throws: ConfigurationError.self) {
            try Sample.table.resolve(flags: [("trusted-proxy", text)])
        }
    }

    @Test("take an empty variable for one that is not set")
    func emptyVariable() throws {
        let found = try Sample.table.resolve(environment: ["BASKET_WORKERS": ""])
        #expect(found[Sample.workers] == 2)
    }

    @Test("tell of variables that nobody reads, and do not refuse them")
    func unknownVariables() throws {
        let found = try Sample.table.resolve(
            environment: ["BASKET_WORKRES": "4", "BASKET_IDLE": "2s"])
        #expect(found.unknownVariables == ["BASKET_WORKRES"])
    }

    @Test("never show a secret")
    func secrets() throws {
        let found = try Sample.table.resolve(environment: ["BASKET_METRICS_TOKEN": "123"])
        #expect(found[Sample.token] == 123)
        #expect(found.entries.last?.text == "(secret)")
        let error = #expect(throws: ConfigurationError.self) {
            try Sample.table.resolve(environment: ["BASKET_METRICS_TOKEN": "hunter2"])
        }
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test(
        "refuse what they do not know, and say where it stands",
        arguments: [
            (
                "lisen = 127.0.0.1:80",
                "nas.conf:1: there is no setting 'lisen'. Did you mean 'listen'?"
            ),
            (
                "colour = red",
                "nas.conf:1: there is no setting 'colour'. The help lists all of them."
            ),
            (
                "workers = 65",
                "nas.conf:1: '65' is not between 1 and 64; that is what 'workers' takes."
            ),
            (
                "\nidle = 30",
                "nas.conf:2: '30' is not a time such as 500ms, 30s, 5m, 24h or 90d;"
                    + " that is what 'idle' takes."
            ),
            (
                "idle = 1s\nidle = 2s",
                "nas.conf:2: 'idle' was set before, at nas.conf:1. Remove one of the two."
            ),
            (
                "data = /srv",
                "nas.conf:1: 'data' cannot stand in a file. Give it as a flag, or in the"
                    + " environment."
            ),
            (
                "listen = localhost:80",
                "nas.conf:1: 'localhost:80' is not a numeric address with a port, such as"
                    + " 127.0.0.1:8080 or [::1]:8080; that is what 'listen' takes."
            ),
            (
                "[server]",
                "nas.conf:1: there are no sections. Remove the line; settings stand by themselves."
            ),
        ])
    func messages(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Sample.table.resolve(file: file(text))
        }
        #expect(error?.message == message)
    }

    @Test("are refused in every source, also where another one outweighs it")
    func outweighed() throws {
        let lines = try file("workers = many")
        #expect(throws: ConfigurationError.self) {
            try Sample.table.resolve(flags: [("workers", "3")], file: lines)
        }
    }

    @Test(
        "read sizes",
        arguments: [
            ("0", 0, "0"), ("65536", 65_536, "64KiB"), ("64KiB", 65_536, "64KiB"),
            ("1GiB", 1_073_741_824, "1GiB"), ("1000", 1000, "1000"),
        ] as [(String, Int64, String)])
    func sizes(text: String, bytes: Int64, written: String) throws {
        let size = try ByteCount.read(text)
        #expect(size.bytes == bytes)
        #expect(size.settingText == written)
    }

    @Test(
        "refuse what is no size",
        arguments: ["", "KiB", "-1", "+1", "1 KiB", "1MB", "1.5GiB", "9999999999TiB", "１"])
    func noSizes(text: String) {
        #expect(throws: SettingMismatch.self) { try ByteCount.read(text) }
    }

    @Test(
        "read times",
        arguments: [
            ("500ms", Duration.milliseconds(500), "500ms"), ("30s", .seconds(30), "30s"),
            ("60s", .seconds(60), "1m"), ("24h", .seconds(86_400), "1d"),
            ("90d", .seconds(7_776_000), "90d"), ("0s", .zero, "0s"),
        ])
    func times(text: String, duration: Duration, written: String) throws {
        #expect(try Duration.read(text) == duration)
        #expect(duration.settingText == written)
    }

    @Test(
        "refuse what is no time",
        arguments: ["", "s", "30", "-1s", "1 s", "1w", "99999999999999999d", "36526d"])
    func noTimes(text: String) {
        #expect(throws: SettingMismatch.self) { try Duration.read(text) }
    }

    @Test(
        "read addresses",
        arguments: [
            ("127.0.0.1:8080", true), ("127.9.9.9:0", true), ("[::1]:8080", true),
            ("0.0.0.0:443", false), ("[::]:443", false), ("192.168.1.7:65535", false),
            ("[::ffff:127.0.0.1]:80", false),
        ])
    func addresses(text: String, isLoopback: Bool) throws {
        let address = try SocketAddress.read(text)
        #expect(address.settingText == text)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(
        "refuse what is no address",
        arguments: [
            "", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80",
            "[127.0.0.1]:80", "[::1]", "127.0.0.1\u{0}x:80", "nas.local:80", "127.0.0.1:+80",
        ])
    func noAddresses(text: String) {
        #expect(throws: SettingMismatch.self) { try SocketAddress.read(text) }
    }
}
