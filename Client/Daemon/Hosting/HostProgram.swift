import BasketBus
import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderMount
import FileProviderReplica
import Foundation
import Glibc

/// What a process does that hosts one domain for a daemon: an extension, a replica, a mount and a control socket, for as
/// long as the folder is mounted and the daemon is there.
package struct HostProgram: Sendable {
    package typealias Extension = any NSFileProviderReplicatedExtension & Sendable

    /// Where a daemon puts its link.
    private static let link: Int32 = 3
    /// Each file that a program has open in the folder is one.
    private static let descriptors = 1 << 19
    /// What is under way when the end comes may take so long to let go.
    private static let patience = Duration.seconds(10)
    /// Several of them fit into the time for which a daemon waits.
    private static let pauseOfSigns = Duration.seconds(5)

    private let world: World
    private let settingsFile: String
    private let makeExtension: @Sendable (NSFileProviderDomain) -> Extension

    package init(
        world: World, settingsFile: String,
        makeExtension: @escaping @Sendable (NSFileProviderDomain) -> Extension
    ) {
        self.world = world
        self.settingsFile = settingsFile
        self.makeExtension = makeExtension
    }

    /// Whether a daemon has started this process.
    package static var isStartedByDaemon: Bool {
        var (kind, size) = (Int32(), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(link, SOL_SOCKET, SO_TYPE, &kind, &size) == 0
            && kind == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// Returns when the folder is mounted no more, or the daemon has gone.
    package func run() async throws {
        _ = fcntl(Self.link, F_SETFD, FD_CLOEXEC)
        DescriptorLimit.raise(to: Self.descriptors)
        let link = HostLink(descriptor: Self.link)
        do {
            let order = try await Waiting.onThread { try link.receive(HostOrder.self).content }
            try await host(order, link)
        } catch {
            try? link.send(HostNews.failed(reason: "\(error)"))
            throw error
        }
    }

    private func host(_ order: HostOrder, _ link: HostLink) async throws {
        let signs = SignsOfLife(every: Self.pauseOfSigns) { try? link.send(HostNews.coming) }
        defer { signs.stop() }
        let record = try DomainRecordCoding.decodeRecord(Array(order.domain))
        let replica = try await Replica(
            folder: order.replica, rule: Self.caseRule(of: record), boot: order.boot, world: world
        ) { path in
            try await GroupCommitWriter(borrowsThreads: true) {
                try Replica.openConnection(path)
            }
        }
        defer { replica.close() }
        let system = try DomainSystem(folder: order.replica, world: world)
        let provider = makeExtension(NSFileProviderDomain(record: record, system: system))
        defer { provider.invalidate() }
        let host = DomainHost(
            replica: replica, provider: provider, world: world, settings: settings(of: record)
        ) { set in try? link.send(HostNews.changed(set: set.rawValue)) }
        system.serve(host)
        system.show(record.identifier, at: order.place)
        let desk = ControlDesk(host)
        let listener = try ControlListener(
            at: order.socket, longestLine: ControlProtocol.longestRequest, log: world.log
        ) { line, send in await desk.answer(line, send) }
        defer { listener.stop() }
        let mount = try await mount(of: host, order, link)
        signs.stop()
        let thrift = Thrift(release: { replica.rest() })
        defer { thrift.stop() }
        let sleep = watchSleep(of: host, mount)
        defer { sleep?.stop() }
        await work(host, mount, link)
        // What cannot be noted now is as safe as after a crash.
        try? await replica.makeCommitsDurable()
    }

    private func mount(
        of host: DomainHost, _ order: HostOrder, _ link: HostLink
    ) async throws -> DomainMount {
        try link.send(HostNews.ready)
        let message = try await Waiting.onThread { try link.receive(MountOrder.self) }
        guard let descriptor = message.descriptor else {
            throw HostLink.Failure.bad("the daemon has sent no device")
        }
        let handedOver = message.content
        let device = FuseDevice(
            descriptor: descriptor, greeting: Array(handedOver.greeting), number: handedOver.number)
        let mount = try DomainMount(
            of: host, on: device, at: order.place, folder: order.replica,
            isResumed: handedOver.isResumed,
            user: geteuid(), group: getegid(),
            errands: LinkedErrands(on: device, runners: handedOver.runners) { end in
                try link.send(HostNews.errands, with: end)
            }, world: world)
        try link.send(HostNews.serving(canBeHandedOver: mount.start()))
        return mount
    }

    /// Nil where nobody tells: a container has no bus.
    private func watchSleep(of host: DomainHost, _ mount: DomainMount) -> SleepWatch? {
        let world = world
        do {
            return try SleepWatch(
                bus: BusAddress.system(ProcessInfo.processInfo.environment), log: world.log,
                willSleep: { mount.rest() },
                didWake: {
                    mount.goOn()
                    // Whatever could not be reached before it slept may be reached now.
                    _ = world.spawn {
                        try? await host.resolve(NSFileProviderError(.serverUnreachable))
                    }
                })
        } catch {
            world.log.debug("nobody tells of sleep", ["reason": .text("\(error)")])
            return nil
        }
    }

    private func work(_ host: DomainHost, _ mount: DomainMount, _ link: HostLink) async {
        let running = Task { await host.run() }
        await Waiting.forFirst(
            of: { mount.join() },
            // It says nothing more: this ends when it does.
            { _ = try? link.receive(MountOrder.self) })
        running.cancel()
        // What does not let go is as safe as after a crash.
        Thread(name: "end") {
            usleep(UInt32(Self.patience.wholeNanoseconds / 1000))
            _exit(0)
        }.detach()
        await running.value
    }

    // MARK: What a domain says

    private static func caseRule(of record: DomainRecord) -> CaseRule {
        guard case .text(let name)? = record.userInfo?.entries[DomainUserInfo.caseRuleKey] else {
            return .posix
        }
        return CaseRule(rawValue: name) ?? .posix
    }

    private func settings(of record: DomainRecord) -> HostSettings {
        var settings = HostSettings()
        settings.choices = PersonalSettings.reader(at: settingsFile, log: world.log)
        settings.testingModes = record.testingModes
        settings.supportsSyncingTrash = record.supportsSyncingTrash
        settings.supportsSearch = record.supportsStringSearchRequest
        return settings
    }
}
