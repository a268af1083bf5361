import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderMount
import FileProviderReplica
import Foundation

/// Knows a person's domains, has each hosted by a process of its own, and answers that person's programs about them.
package final class Daemon: Sendable {
    let places: ClientPlaces
    let version: String
    let world: World
    let registry: DomainRegistry
    let hosting: ProcessHosting
    private let program: String
    private let mounts: [LeftMount]
    private let stopping = Stopping()

    /// What keeps a domain from being hosted passes seldom.
    private static let pauseForFailed = Duration.seconds(60)
    /// This very program, also once another version has taken the place of its file: a host and its daemon are of one.
    private static let image = NextProgram.image
    /// Links to hosts, and their errands.
    private static let descriptors = 1 << 14
    private static let bootPath = "/proc/sys/kernel/random/boot_id"

    /// - Parameters:
    ///   - program: this program: it is started with `host DOMAIN` for each domain.
    ///   - version: which one it is, for those who ask.
    ///   - mounts: what the program has left that had this process before.
    /// - Throws: `FileLock.Held` while this person has another one.
    package init(
        places: ClientPlaces, program: String, version: String, mounts: [LeftMount], world: World
    ) throws {
        self.places = places
        self.program = program
        self.mounts = mounts
        self.version = version
        self.world = world
        for folder in [places.sockets, places.data] { try world.files.makeFolder(folder) }
        let bytes = try world.files.open(Self.bootPath).read(at: 0, count: 64)
        let boot = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        hosting = ProcessHosting(
            program: program, image: Self.image, sockets: places.sockets, boot: boot,
            mounts: mounts, world: world)
        let settings = RegistrySettings(
            folder: places.domains, places: places.folders, boot: boot,
            makeWriter: { path in
                try await GroupCommitWriter(borrowsThreads: true) {
                    try Replica.openConnection(path)
                }
            })
        let hosting = hosting
        registry = try Self.afterOthers(places, world) {
            try DomainRegistry(settings: settings, hosting: hosting, world: world)
        }
    }

    /// A daemon that was killed together with its hosts holds what it had for as long as one of its threads waits in the
    /// kernel for one of them: until somebody ends that.
    private static func afterOthers<Value>(
        _ places: ClientPlaces, _ world: World, _ body: () throws -> Value
    ) throws -> Value {
        let end = world.uptime() + patience
        // One that starts as well must not have its folders mounted by then.
        let takeTurn = { try FileLock.take(places.data + "/starting") }
        let turn = try wait(until: end, world, while: { _ in true }, takeTurn)
        defer { withExtendedLifetime(turn) {} }
        return try wait(until: end, world, while: { isDead($0, places, world) }, body)
    }

    /// Whether it is dead and cannot end; nothing keeps it from that any more then.
    private static func isDead(_ process: Int32?, _ places: ClientPlaces, _ world: World) -> Bool {
        guard let process, ProcessNumbers.state(of: process, world.files) == "Z" else {
            return false
        }
        unmountTheDead(places, world)
        return true
    }

    /// - Parameter mayPass: whether it makes sense to wait for that process.
    private static func wait<Value>(
        until end: Duration, _ world: World, while mayPass: (Int32?) -> Bool,
        _ body: () throws -> Value
    ) throws -> Value {
        while true {
            do {
                return try body()
            } catch let held as FileLock.Held {
                guard world.uptime() < end, mayPass(held.process) else { throw held }
                usleep(20_000)
            }
        }
    }

    /// With others that start, and those that are dead and cannot end.
    private static let patience = Duration.seconds(10)

    /// Works until the task is cancelled, or somebody has asked for the end, or for another program in this one's place.
    /// - Parameter isReady: is called once all domains are hosted that can be; while one takes very long, before that.
    /// - Returns: what is left to the next program; nil for the end.
    package func run(isReady: @escaping @Sendable () -> Void) async throws -> [LeftMount]? {
        DescriptorLimit.raise(to: Self.descriptors)
        // Nobody else has the registry: what is still mounted there is dead, where it was not left to this one.
        Self.unmountTheDead(places, world, besides: mounts)
        hosting.onSetChange { [registry] set, domain in registry.tell(of: set, in: domain) }
        FileProviderSystems.registerDefault(registry)
        let desk = DaemonDesk(self)
        let listener = try ControlListener(
            at: places.daemonSocket, longestLine: ControlProtocol.longestRequest, log: world.log
        ) { line, send in await desk.answer(line, send) }
        defer { listener.stop() }
        let starting = await startDomains()
        isReady()
        let retrying = world.spawn { [registry, world] in
            while (try? await world.sleep(Self.pauseForFailed)) != nil {
                await registry.startFailed()
            }
        }
        let left = await stopping.wait { await leave() }
        retrying.cancel()
        starting.cancel()
        if left == nil { await hosting.stopAll() }
        return left
    }

    /// So long everything else waits for the domains: whoever has started the daemon gives it up a while later, and all of
    /// the domains with it.
    private static let patienceForDomains = Duration.seconds(100)

    /// Returns once all domains are hosted that can be, or that has taken too long: the others are there by then.
    private func startDomains() async -> Task<Void, Never> {
        let (waiting, end) = AsyncStream.makeStream(of: Never.self)
        let starting = world.spawn { [self] in
            await registry.start()
            // What the next program goes on with is not what nobody hosts.
            if !Task.isCancelled { unmountWhatWasLeft() }
            end.finish()
        }
        let limit = world.spawn { [world] in
            guard (try? await world.sleep(Self.patienceForDomains)) != nil else { return }
            world.log.warning("not every domain is there yet")
            end.finish()
        }
        for await _ in waiting {}
        limit.cancel()
        return starting
    }

    /// Has it end.
    package func stop() {
        stopping.stop()
    }

    /// Has the program that was installed in this one's place go on, if another one was: what is mounted stays so, and those
    /// who have something open there notice a pause.
    package func wishRenewal() {
        stopping.renew()
    }

    private func leave() async -> [LeftMount]? {
        let isThere = try? await Waiting.onThread { [program] in NextProgram.isThere(program) }
        guard isThere == true else {
            world.log.notice("no other program than this one is there to go on")
            return nil
        }
        let left = await hosting.leaveAll()
        if left == nil {
            world.log.warning(
                "another program cannot go on yet: a domain is not served, or this kernel does not take part",
                ["program": .text(program)])
        }
        return left
    }

    /// Of domains that nobody hosts any more.
    private func unmountWhatWasLeft() {
        for mount in hosting.forgetLeft() {
            try? FuseDevice.unmount(mount.place, atAnyCost: true)
            mount.device.abort()
        }
    }

    private static func unmountTheDead(
        _ places: ClientPlaces, _ world: World, besides living: [LeftMount] = []
    ) {
        guard let table = try? MountTable(world.files) else { return }
        for domain in table.domains(in: places.foldersWithoutLinks)
        where !living.contains(where: { $0.isOf(domain.number, at: domain.folder) }) {
            if let number = domain.number { FuseDevice.abort(number) }
            do {
                try FuseDevice.unmount(domain.folder, atAnyCost: true)
                world.log.notice(
                    "a folder was still mounted, and nobody answered for it",
                    ["folder": .text(domain.folder)])
            } catch {
                world.log.warning(
                    "a dead mount cannot be taken away", ["error": .text("\(error)")])
            }
        }
    }
}
