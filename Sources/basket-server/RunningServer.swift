import BasketAPI
import BasketBlobs
import BasketDatabase
import BasketDiscovery
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Glibc
import Synchronization

/// All parts of a server, put together.
final class RunningServer: Sendable {
    /// Where clients reach it.
    let address: String
    /// The same for people to open: any address of this machine is called by its name.
    let reachableAddress: String
    /// Where its data lies.
    var dataPath: String { folder.path }
    /// Of the certificate that clients see; nil for plain HTTP.
    let fingerprint: String?
    /// The first account's password, when it was just made.
    let firstPassword: String?
    /// Held as long as the server runs: two would overwrite each other's work.
    private let lock: FileLock
    private let store: Store
    private let blobs: FolderBlobStore
    /// What housekeeping holds to.
    private let rules: Mutex<Housekeeping.Rules>
    private let folder: DataFolder
    private let isSecure: Bool
    /// Where it is reached over a network.
    private let reachable: SocketAddress?
    /// Tells the network of it; nil where it is not to, or where no other machine reaches the server.
    private let announcer: ServerAnnouncer?
    private let listening: SocketAddress
    private let service: Service
    private let http: HTTPServer
    private let world: World
    private let grace: Duration
    private let blocking: ThreadPool
    private let hashing: ThreadPool

    /// Threads for work that blocks: more than there are cores, because most of them wait for the
    /// disk.
    private static let blockingThreads = 8
    /// Hashing a password takes a core for a tenth of a second: one at a time leaves one for others.
    private static let hashingThreads = 1
    /// What the database's log may take before it is moved into the file.
    private static let leastReserve: Int64 = 128 << 20
    /// A little is collected often, all of it every so many times.
    private static let thoroughRuns = 6

    init(
        _ configuration: Configuration, environment: [String: String], world: World,
        whenLost: @escaping @Sendable (SQLiteError) -> Never
    ) async throws {
        self.world = world
        grace = configuration[ServerSettings.grace]
        folder = DataFolder(path: configuration[ServerSettings.data])
        try folder.create(world.files)
        lock = try folder.lock(world.files)
        store = try await DatabaseFailure.told(of: folder) { [folder] in
            try await Store.open(
                folder.database, groupLimit: configuration[ServerSettings.commitGroup],
                world: world, whenLost: whenLost)
        }
        blobs = try folder.openBlobs(world: world, reserveBytes: try Self.reserve(configuration))
        rules = Mutex(Self.rules(configuration))
        blocking = ThreadPool(name: "blocking", threads: Self.blockingThreads)
        hashing = ThreadPool(name: "hashing", threads: Self.hashingThreads)

        var limits = HTTPLimits()
        limits.connections = configuration[ServerSettings.connections]
        limits.connectionsPerAddress = configuration[ServerSettings.connectionsPerAddress]
        service = try Service(
            store: store, blobs: blobs, settings: Self.serviceSettings(configuration),
            connectionLimits: limits, blocking: blocking, hashing: hashing)
        let inherited = InheritedSocket.announced(environment: environment, processID: getpid())
            .first { $0.adopt() }
        // Whoever opened the socket chose who reaches it, whatever was set here.
        listening = inherited?.address ?? configuration[ServerSettings.listen]
        let identity = try ServerTLS(configuration, folder, world).identity(for: listening)
        isSecure = identity != nil
        let listener: HTTPServerConfiguration.Listener =
            inherited.map { .descriptor($0.descriptor) }
            ?? .address(ListeningAddress(host: listening.host, port: listening.port))
        http = try HTTPServer(
            configuration: HTTPServerConfiguration(
                listener: listener, tls: identity, limits: limits,
                trustedProxies: try Self.proxies(configuration)),
            handler: service, world: world)
        service.observe(http)
        try http.start()
        let shown = SocketAddress(host: listening.host, port: http.port) ?? listening
        let scheme = identity == nil ? "http" : "https"
        address = "\(scheme)://\(shown.settingText)"
        let isAnywhere = ["0.0.0.0", "::"].contains(shown.host)
        reachableAddress =
            isAnywhere ? "\(scheme)://\(ServerTLS.hostName()):\(shown.port)" : address
        fingerprint = identity?.fingerprint
        // A socket that was opened for it, and has no such address, is no door to a network.
        reachable = inherited == nil || inherited?.address != nil ? shown : nil
        announcer = Self.announcement(configuration, of: identity, at: reachable)
            .map { ServerAnnouncer($0, world: world) }
        // Last: a password that is made before something else fails would never be shown.
        firstPassword = try await FirstAccount.make(store, service.authenticator)
    }

    /// Finishes what is under way, then lets go of everything.
    func stop() async {
        // Who waits for changes would have it wait as well.
        store.hub.close()
        await http.stop(grace: grace)
        store.close()
        blocking.stop()
        hashing.stop()
    }

    /// Looks after what changes with time, until the task is cancelled.
    func keepHouse() async {
        let housekeeping = Housekeeping(
            store: store, blobs: blobs, rules: { self.rules.withLock { $0 } },
            isBeingCopied: { self.folder.isBeingCopied },
            takeUsedDevices: { self.service.authenticator.takeUsed() })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.service.noticeForeignChanges() }
            group.addTask(executorPreference: blocking) { await housekeeping.run() }
            if let announcer {
                group.addTask(executorPreference: blocking) { await announcer.run() }
            }
        }
    }

    /// What a running server can take up: changes that another process made to its data, its
    /// certificate, and the settings that `ServerSettings.changeable` names. Connections stay open.
    func reload(_ configuration: Configuration) throws {
        service.authenticator.forgetEverything()
        // First, because it may fail: then nothing else changes either.
        let identity =
            isSecure
            ? try ServerTLS(configuration, folder, world).identity(for: listening) : nil
        if let identity { try http.replace(tls: identity) }
        if let announcement = Self.announcement(configuration, of: identity, at: reachable) {
            announcer?.announce(announcement)
        }
        service.take(Self.serviceSettings(configuration))
        rules.withLock { $0 = Self.rules(configuration) }
    }

    /// Nil where it is not to be announced, or other machines do not reach it.
    private static func announcement(
        _ configuration: Configuration, of identity: TLSIdentity?, at address: SocketAddress?
    ) -> ServiceAnnouncement? {
        guard configuration[ServerSettings.announce], let address else { return nil }
        return ServiceAnnouncement(
            name: configuration[ServerSettings.name], address: address,
            isSecure: identity != nil, fingerprint: identity?.fingerprint)
    }

    private static func reserve(_ configuration: Configuration) throws -> Int64? {
        guard let reserve = configuration[ServerSettings.reserve]?.bytes else { return nil }
        guard reserve >= leastReserve else {
            throw CommandFailure(
                "bad_setting",
                """
                \(reserve) bytes do not suffice as a reserve: deletions need some, also on a full disk.
                Leave at least \(leastReserve >> 20)MiB, or do not set it.
                """, exitCode: .usage)
        }
        return reserve
    }

    private static func rules(_ configuration: Configuration) -> Housekeeping.Rules {
        var schedule = Housekeeping.Schedule()
        schedule.collection = configuration[ServerSettings.collectEvery]
        schedule.thorough = thoroughRuns
        return Housekeeping.Rules(
            policy: ServerSettings.collection(configuration), schedule: schedule)
    }

    private static func serviceSettings(_ configuration: Configuration) -> ServiceSettings {
        ServiceSettings(
            name: configuration[ServerSettings.name], version: BasketVersion.current,
            largestFile: configuration[ServerSettings.largestFile].bytes,
            allowsFaults: configuration[ServerSettings.allowFaults],
            metricsToken: configuration[ServerSettings.metricsToken],
            retention: ServerSettings.retention(configuration),
            uploadGrace: configuration[ServerSettings.uploadGrace])
    }

    private static func proxies(_ configuration: Configuration) throws -> [AddressRange] {
        try configuration[ServerSettings.trustedProxies].map { text in
            guard let range = AddressRange(text) else {
                throw CommandFailure(
                    "bad_setting", "‘\(text)’ is no address or range.\nWrite it like 10.0.0.0/8.",
                    exitCode: .usage)
            }
            return range
        }
    }
}
