import BasketHTTP
import BasketStore
import BasketSupport
import BasketUpkeep

/// Everything that can be set.
enum ServerSettings {
    static let config = Setting<String?>(
        "config", default: nil, help: "A file with settings, one `name = value` a line.",
        placeholder: "FILE", isAllowedInFile: false)
    static let data = Setting(
        "data", default: "basket-data", help: "The folder that holds everything.",
        placeholder: "DIR")
    static let listen = Setting(
        "listen", default: SocketAddress.loopback(port: 8080), help: "Where to listen.")
    static let name = Setting(
        "name", default: "Basket", help: "What the server calls itself to clients.")

    static let announce = Setting(
        "announce", default: true,
        help: "Let clients on the local network find the server, where other machines reach it.")

    static let tls = Setting(
        "tls", default: TLSChoice.auto, help: "Whether to speak TLS on a loopback address too.")
    static let tlsCertificate = Setting<String?>(
        "tls-certificate", default: nil,
        help: "A certificate and its chain as PEM; without one the server makes its own.",
        placeholder: "FILE")
    static let tlsKey = Setting<String?>(
        "tls-key", default: nil, help: "The certificate's key as PEM.", placeholder: "FILE")
    static let tlsNames = Setting<[String]>(
        "tls-name", default: [],
        help: "A name or address for the server's own certificate, besides the machine's.",
        placeholder: "NAME")
    static let insecureHTTP = Setting(
        "insecure-http", default: false,
        help: "Speak plain HTTP on any address: everybody on the way reads along.")
    static let trustedProxies = Setting<[String]>(
        "trusted-proxy", default: [],
        help: "An address or range whose Forwarded and X-Forwarded headers are believed.",
        placeholder: "RANGE")

    static let connections = Setting(
        "connections", default: 20_000, in: 16...1_000_000, help: "Open connections, all together.")
    static let connectionsPerAddress = Setting(
        "connections-per-address", default: 4_096, in: 4...1_000_000,
        help: "Open connections from one address.")
    static let largestFile = Setting(
        "largest-file", default: ByteCount(bytes: 1 << 42), help: "The largest file that is taken.")
    static let reserve = Setting<ByteCount?>(
        "reserve", default: nil,
        help:
            "Bytes of the disk to leave free; else one percent, 256 MiB to 5 GiB. At least 128 MiB, which deletions need."
    )
    static let grace = Setting(
        "grace", default: Duration.seconds(30),
        help: "How long a stopping server waits for what is under way.")
    static let commitGroup = Setting(
        "commit-group", default: 256, in: 1...10_000,
        help: "How many changes share one commit at the most.")

    static let keepVersions = Setting(
        "keep-versions", default: Duration.seconds(86_400),
        help: "How long every earlier version of a file is kept.")
    static let keepDailyVersions = Setting(
        "keep-daily-versions", default: Duration.seconds(30 * 86_400),
        help: "After that, how long the newest version of each day is kept.")
    static let keepMonthlyVersions = Setting(
        "keep-monthly-versions", default: Duration.seconds(365 * 86_400),
        help: "After that, how long the newest version of each month is kept.")
    static let keepDeleted = Setting(
        "keep-deleted", default: Duration.seconds(30 * 86_400),
        help: "How long what was deleted can be brought back, while there is room.")
    static let keepTombstones = Setting(
        "keep-tombstones", default: Duration.seconds(90 * 86_400),
        help: "After that, clients that were away list everything anew.")
    static let keepTrash = Setting<Duration?>(
        "keep-trash", default: nil,
        help: "How long things stay in the trash; until they are deleted by hand if not set.")

    static let uploadGrace = Setting(
        "upload-grace", default: Duration.seconds(86_400),
        in: .seconds(1)...(.seconds(365 * 86_400)),
        help: "How long an upload may count on the chunks that it has sent.")
    static let collectEvery = Setting(
        "collect-every", default: Duration.seconds(600),
        in: .milliseconds(10)...(.seconds(86_400)),
        help: "How often a running server removes what nothing needs any more.")

    static let logLevel = Setting(
        "log-level", default: Log.Level.info, help: "The least level that is logged.")
    static let logFormat = Setting("log-format", default: LogFormat.text, help: "How it is logged.")
    static let metricsToken = Setting<String?>(
        "metrics-token", default: nil,
        help: "Lets /metrics be read from other machines, by whoever has it.", isSecret: true)
    static let allowFaults = Setting(
        "allow-faults", default: false,
        help: "Let administrators make calls fail: for tests of clients, never for real data.")

    static let table = SettingTable([
        config, data, listen, name, announce, tls, tlsCertificate, tlsKey, tlsNames, insecureHTTP,
        trustedProxies, connections, connectionsPerAddress, largestFile, reserve, grace,
        commitGroup, keepVersions, keepDailyVersions, keepMonthlyVersions, keepDeleted,
        keepTombstones, keepTrash, uploadGrace, collectEvery, logLevel, logFormat, metricsToken,
        allowFaults,
    ])

    /// What a running server takes up when it reads its settings again.
    static let changeable: Set = [
        name.name, tlsCertificate.name, tlsKey.name, largestFile.name, keepVersions.name,
        keepDailyVersions.name, keepMonthlyVersions.name, keepDeleted.name, keepTombstones.name,
        keepTrash.name, uploadGrace.name, collectEvery.name, metricsToken.name,
    ]

    /// The options of a command that needs only some of the settings.
    static func options(where isNeeded: (String) -> Bool) -> [CommandOption] {
        table.options.filter {
            $0.name == config.name || $0.name == data.name || isNeeded($0.name)
        }
    }

    /// What is in force for a command line.
    static func resolve(_ invocation: Invocation) throws -> Configuration {
        let flags = invocation.flags(of: table)
        let environment = ProcessEnvironment.variables()
        let first = try table.resolve(flags: flags, environment: environment)
        guard let path = first[config] else { return first }
        let contents: [UInt8]
        do {
            contents = try Pipe.contents(of: path, upTo: 1 << 20)
        } catch {
            throw CommandFailure(
                "config_unreadable", "\(error).\nChoose another file with --config.")
        }
        let file = try ConfigurationFile(path: path, contents: contents)
        return try table.resolve(flags: flags, environment: environment, file: file)
    }

    static func retention(_ configuration: Configuration) -> RetentionPolicy {
        RetentionPolicy(
            allVersions: configuration[keepVersions],
            dailyVersions: configuration[keepDailyVersions],
            monthlyVersions: configuration[keepMonthlyVersions],
            deletedContents: configuration[keepDeleted],
            tombstones: configuration[keepTombstones], trash: configuration[keepTrash])
    }

    /// What a running server collects. A file without a row waits for as long as an upload may take,
    /// and one that lost its row for its readers; neither needs more than an upload's whole time. A backup
    /// may need more, but the collection looks out for those by itself.
    static func collection(_ configuration: Configuration) -> CollectionPolicy {
        let grace = configuration[uploadGrace]
        let usual = CollectionPolicy()
        return CollectionPolicy(
            retention: retention(configuration), chunkGrace: grace,
            leftoverAge: min(grace, usual.leftoverAge),
            removalDelay: min(grace, usual.removalDelay))
    }
}
