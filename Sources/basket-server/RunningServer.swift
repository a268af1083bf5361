import BasketAPI
import BasketBlobs
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
    /// Of the certificate that clients see; nil for plain HTTP.
    let fingerprint: String?
    /// The first account's password, when it was just made.
    let firstPassword: String?
    /// Held as long as the server runs: two would overwrite each other's work.
    private let lock: FileLock
    private let store: Store
    private let blobs: FolderBlobStore
    /// What collection holds to, with the pause between its runs.
    private let collection: Mutex<(policy: CollectionPolicy, pause: Duration)>
    private let folder: DataFolder
    private let isSecure: Bool
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

    init(
        _ configuration: Configuration, environment: [String: String], world: World
    ) async throws {
        self.world = world
        grace = configuration[ServerSettings.grace]
        folder = DataFolder(path: configuration[ServerSettings.data])
        try folder.create(world.files)
        lock = try folder.lock(world.files)
        store = try await DatabaseFailure.told(of: folder) { [folder] in
            try await Store.open(
                folder.database, groupLimit: configuration[ServerSettings.commitGroup],
                world: world)
        }
        blobs = try folder.openBlobs(
            world: world, reserveBytes: configuration[ServerSettings.reserve]?.bytes)
        collection = Mutex(Self.collection(configuration))
        blocking = ThreadPool(name: "blocking", threads: Self.blockingThreads)
        hashing = ThreadPool(name: "hashing", threads: Self.hashingThreads)

        let settings = Self.serviceSettings(configuration)
        service = try Service(
            store: store, blobs: blobs, settings: settings, blocking: blocking, hashing: hashing)
        let inherited = InheritedSocket.announced(environment: environment, processID: getpid())
            .first { $0.adopt() }
        // Whoever opened the socket chose who reaches it, whatever was set here.
        listening = inherited?.address ?? configuration[ServerSettings.listen]
        let identity = try ServerTLS(configuration, folder, world).identity(for: listening)
        isSecure = identity != nil
        let listener: HTTPServerConfiguration.Listener =
            inherited.map { .descriptor($0.descriptor) }
            ?? .address(ListeningAddress(host: listening.host, port: listening.port))
        var limits = HTTPLimits()
        limits.connections = configuration[ServerSettings.connections]
        limits.connectionsPerAddress = configuration[ServerSettings.connectionsPerAddress]
        http = try HTTPServer(
            configuration: HTTPServerConfiguration(
                listener: listener, tls: identity, limits: limits,
                trustedProxies: try Self.proxies(configuration)),
            handler: service, world: world)
        service.observe(http)
        try http.start()
        let shown = SocketAddress(host: listening.host, port: http.port) ?? listening
        address = "\(identity == nil ? "http" : "https")://\(shown.settingText)"
        fingerprint = identity?.fingerprint
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
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.service.keepHouse() }
            group.addTask { await self.collect() }
        }
    }

    /// Removes what nothing needs any more: a little often, all of it once an hour.
    private func collect() async {
        var runs = 0
        while !Task.isCancelled {
            do {
                try await world.sleep(collection.withLock { $0.pause })
                runs += 1
                let isThorough = runs.isMultiple(of: Self.thoroughRuns)
                let summary = try await withTaskExecutorPreference(blocking) {
                    try await self.collectOnce(isThorough)
                }
                if !summary.didNothing {
                    world.log.info("collected", ["freed": .number(summary.bytesFreed)])
                }
            } catch is CancellationError {
                return
            } catch {
                // A full disk, for one; the next run finds the rest.
                world.log.warning("collection failed", ["error": .text("\(error)")])
            }
        }
    }

    /// Concurrent, because only that follows the preference for an executor.
    @concurrent
    private func collectOnce(_ isThorough: Bool) async throws -> CollectionSummary {
        let policy = collection.withLock { $0.policy }
        return try await Collector(store: store, blobs: blobs, policy: policy)
            .run(isThorough: isThorough)
    }

    private static let thoroughRuns = 6

    /// What a running server can take up: changes that another process made to its data, its
    /// certificate, and the settings that `ServerSettings.changeable` names. Connections stay open.
    func reload(_ configuration: Configuration) throws {
        service.authenticator.forgetEverything()
        // First, because it may fail: then nothing else changes either.
        if isSecure,
            let identity = try ServerTLS(configuration, folder, world).identity(for: listening)
        {
            try http.replace(tls: identity)
        }
        service.take(Self.serviceSettings(configuration))
        collection.withLock { $0 = Self.collection(configuration) }
    }

    private static func collection(
        _ configuration: Configuration
    ) -> (policy: CollectionPolicy, pause: Duration) {
        (ServerSettings.collection(configuration), configuration[ServerSettings.collectEvery])
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
