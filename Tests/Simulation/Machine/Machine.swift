import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization

/// A machine on which programs add and remove domains, each at a cloud of its own.
final class Machine: Sendable {
    /// Who hosts a domain.
    struct Hosted {
        let replica: Replica
        let host: DomainHost
        let system: DomainSystem
        let task: Task<Void, Never>
        let process: SimulatedProcess
    }

    private struct State {
        var registry: DomainRegistry?
        var process: SimulatedProcess?
        var hosted: [NSFileProviderDomainIdentifier: Hosted] = [:]
        var clouds: [NSFileProviderDomainIdentifier: Cloud] = [:]
        var networks: [NSFileProviderDomainIdentifier: Network] = [:]
        var posts: [(name: Notification.Name, domain: NSFileProviderDomainIdentifier?)] = []
        var boots = 0
        var settings = HostSettings()
        var isBroken = false
        var isStubborn = false
    }

    let executor: SimulationExecutor
    let folder: String
    let mishap = DiskMishap()
    private let disk = SimulatedDisk()
    private let state = Mutex(State())

    private init(_ executor: SimulationExecutor, folder: String) {
        self.executor = executor
        self.folder = folder
    }

    /// Plays a story on a machine.
    static func play(
        seed: UInt64 = 1, _ body: @escaping @Sendable (Machine) async throws -> Void
    ) throws {
        let executor = SimulationExecutor(seed: seed)
        let folder = "/dev/shm/basket-machine-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        defer { try? LinuxFileSystem().removeTree(folder) }
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let machine = Machine(executor, folder: folder)
        Task(executorPreference: executor) {
            do {
                try await machine.start()
                try await body(machine)
                await machine.stop()
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        executor.run { outcome.withLock { $0 != nil } }
        guard let result = outcome.withLock({ $0 }) else { throw Stage.StandStill() }
        try result.get()
    }

    var files: any FileSystem { MishapDisk(real: disk, mishap: mishap) }
    var places: String { folder + "/home" }
    var registryFolder: String { folder + "/domains" }

    var registry: DomainRegistry {
        guard let registry = state.withLock({ $0.registry }) else { fatalError("it is off") }
        return registry
    }

    /// Whether nothing can be hosted.
    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    /// Whether nobody who hosts something ends.
    var isStubborn: Bool {
        get { state.withLock { $0.isStubborn } }
        set { state.withLock { $0.isStubborn = newValue } }
    }

    /// Of all hosts that are started from now on.
    var settings: HostSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// How often programs were told that the domains are others.
    var posts: Int { posts(.fileProviderDomainDidChange).count }

    /// What they were told by a notification, each time.
    func posts(_ name: Notification.Name) -> [NSFileProviderDomainIdentifier?] {
        state.withLock { $0.posts.filter { $0.name == name }.map(\.domain) }
    }

    func cloud(_ domain: String) -> Cloud {
        let domain = NSFileProviderDomainIdentifier(domain)
        return state.withLock { state in
            if let cloud = state.clouds[domain] { return cloud }
            let cloud = Cloud(isLazy: false)
            state.clouds[domain] = cloud
            return cloud
        }
    }

    func network(_ domain: String) -> Network {
        let domain = NSFileProviderDomainIdentifier(domain)
        return state.withLock { state in
            if let network = state.networks[domain] { return network }
            let network = Network(executor, folder: folder, lossOneIn: 0)
            state.networks[domain] = network
            return network
        }
    }

    func hosted(_ domain: String) -> Hosted? {
        state.withLock { $0.hosted[NSFileProviderDomainIdentifier(domain)] }
    }

    func host(_ domain: String) throws -> DomainHost {
        guard let host = hosted(domain)?.host else { throw NotHosted() }
        return host
    }

    struct NotHosted: Error {}

    // MARK: On and off

    func start() async throws {
        let process = SimulatedProcess(executor)
        let (executor, disk) = (executor, files)
        var settings = RegistrySettings(
            folder: registryFolder, places: places, boot: boot
        ) { path in InlineWriter(try Replica.openConnection(path)) }
        // Who is dead lets go of it, but the dead here stay in this process.
        settings.lock = { _ in nil }
        settings.post = { [weak self] name, domain in
            self?.state.withLock { $0.posts.append((name, domain)) }
        }
        let world = executor.world(of: process, files: disk)
        let registry = try DomainRegistry(settings: settings, hosting: self, world: world)
        state.withLock { state in
            state.registry = registry
            state.process = process
        }
        await registry.start()
    }

    private var boot: String { state.withLock { "\($0.boots)" } }

    func stop() async {
        for domain in state.withLock({ $0.hosted.keys.map(\.self) }) { try? await stop(domain) }
        state.withLock { $0.registry = nil }
    }

    /// All of it is dead, between two steps.
    func kill() {
        let (process, hosted) = state.withLock { state in
            defer {
                state.hosted = [:]
                state.registry = nil
            }
            return (state.process, state.hosted)
        }
        process?.kill()
        for (_, hosted) in hosted {
            hosted.process.kill()
            hosted.replica.close()
        }
    }

    func cutPower() throws {
        kill()
        try disk.lose { _ in 0 }
        state.withLock { $0.boots += 1 }
    }

    /// Does something that dies with the machine's processes, which die with the n-th change of the disk.
    /// - Returns: whether it came so far.
    func dies(
        after count: Int, during work: @escaping @Sendable (DomainRegistry) async throws -> Void
    ) async throws -> Bool {
        guard let process = state.withLock({ $0.process }) else { throw NotHosted() }
        let registry = registry
        let isOver = Mutex(false)
        let over = { @Sendable in isOver.withLock { $0 = true } }
        mishap.arm(.death, after: count) { [weak self] in
            self?.kill()
            over()
        }
        _ = executor.world(of: process).spawn {
            try? await work(registry)
            over()
        }
        while !isOver.withLock({ $0 }) { try await executor.sleep(.milliseconds(10)) }
        return mishap.disarm()
    }

    // MARK: What is on its disk

    /// All paths below a folder with what is there: a file's text, `/` for a folder, `->` and where a symlink leads.
    func tree(at path: String) throws -> [String: String] {
        var found: [String: String] = [:]
        func walk(_ folder: String, _ prefix: String) throws {
            for name in try disk.list(folder) {
                let path = folder + "/" + name
                switch try disk.facts(of: path).kind {
                case .folder:
                    found[prefix + name] = "/"
                    try walk(path, prefix + name + "/")
                case .symlink: found[prefix + name] = try "->" + disk.target(ofSymlink: path)
                case .file:
                    let bytes = try disk.contents(of: path)
                    found[prefix + name] = String(decoding: bytes, as: UTF8.self)
                case .other: found[prefix + name] = "?"
                }
            }
        }
        try walk(path, "")
        return found
    }

    /// Somebody deletes a domain's database, while nobody is at it.
    /// - Parameter isAll: whether the journal of what is unsent goes, too.
    func loseDatabase(of domain: String, isAll: Bool = false) throws {
        for name in ["replica.db"] + (isAll ? ["contents/unsent.db"] : []) {
            let database = "\(registryFolder)/\(domain)/replica/\(name)"
            for path in ["", "-wal", "-shm"].map({ database + $0 }) where disk.exists(path) {
                try disk.remove(path)
            }
        }
    }

    /// Somebody puts a file there.
    func put(_ text: String, at path: String) throws {
        try disk.makeFolder(SimulatedDisk.folder(of: path))
        try disk.create(path).write(Array(text.utf8), at: 0)
        try disk.openDisk(holding: path).synchronize()
    }
}

extension Machine: DomainHosting {
    func start(_ record: DomainRecord, in folders: DomainFolders) async throws {
        guard hosted(record.identifier.rawValue) == nil else { return }
        try files.makeFolder(folders.place)
        if isBroken { throw NSFileProviderError(.applicationExtensionNotFound) }
        let name = record.identifier.rawValue
        let process = SimulatedProcess(executor)
        let world = executor.world(of: process, files: files)
        let replica = try await Replica(
            folder: folders.replica, rule: .posix, boot: boot, world: world
        ) { path in InlineWriter(try Replica.openConnection(path)) }
        let system = try DomainSystem(folder: folders.replica, world: world)
        system.show(record.identifier, at: folders.place)
        let domain = NSFileProviderDomain(record: record, system: system)
        let provider = try await cloud(name).makeExtension(
            for: name, domain: domain, network: network(name), world: world)
        var settings = settings
        settings.supportsSyncingTrash = record.supportsSyncingTrash
        let host = DomainHost(
            replica: replica, provider: provider, world: world, settings: settings
        ) { [weak self] set in
            // As somebody who hosts in another process tells the one with the registry.
            self?.state.withLock { $0.registry }?.tell(of: set, in: record.identifier)
        }
        system.serve(host)
        let task = world.spawn { await host.run() }
        let hosted = Hosted(
            replica: replica, host: host, system: system, task: task, process: process)
        state.withLock { $0.hosted[record.identifier] = hosted }
    }

    func stop(_ domain: NSFileProviderDomainIdentifier) async throws {
        if isStubborn { throw POSIXError(.EBUSY) }
        guard let hosted = state.withLock({ $0.hosted.removeValue(forKey: domain) }) else { return }
        hosted.process.kill()
        hosted.replica.close()
    }

    func system(of domain: NSFileProviderDomainIdentifier) -> (any FileProviderSystem)? {
        state.withLock { $0.hosted[domain]?.system }
    }
}
