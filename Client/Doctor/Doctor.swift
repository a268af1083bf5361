import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// Looks at all that has to be right on a machine for a person's domains to be there, and says what to do about what is
/// not. It changes nothing.
package struct Doctor: Sendable {
    private let places: ClientPlaces
    private let version: String
    private let isDeep: Bool
    private let world: World

    /// - Parameters:
    ///   - version: this program's, which the daemon should be of too, and the server is compared with.
    ///   - isDeep: whether everything that is stored of each domain is held against each other, which reads every item,
    ///     and not the databases alone.
    package init(places: ClientPlaces, version: String, isDeep: Bool, world: World) {
        self.places = places
        self.version = version
        self.isDeep = isDeep
        self.world = world
    }

    /// - Parameter tell: hears each finding as soon as it is there.
    package func examine(_ tell: (Finding) -> Void) async {
        await run(machineChecks, tell)
        let list = try? await ControlClient(places.daemonSocket)
            .ask(
                DaemonRequest(.domains), for: HostedDomainList.self, within: ControlClient.patience)
        // Without a daemon nobody knows them.
        let domains = list?.domains
        let places = places.showing(in: list?.folder)
        for domain in domains ?? [] { await run(checks(of: domain), tell) }
        await run(
            [
                DeadMountsCheck(places: places, domains: domains ?? [], world: world),
                LeftoversCheck(places: places, domains: domains, files: world.files),
            ], tell)
    }

    private var machineChecks: [any Check] {
        [
            FuseDeviceCheck(), MountHelperCheck(), KernelCheck(),
            FolderCheck("runtime-folder", "The folder of sockets", places.sockets),
            FolderCheck("data-folder", "The folder of replicas", places.data),
            DiskSpaceCheck(folder: places.data, files: world.files),
            SettingsCheck(file: places.settings),
            DaemonCheck(socket: places.daemonSocket, version: version),
        ]
    }

    private func checks(of domain: HostedDomainState) -> [any Check] {
        var checks: [any Check] = [DomainStateCheck(domain: domain)]
        checks.append(StraysCheck(domain: domain, files: world.files))
        guard domain.state != .disabled, domain.state != .unreadable else { return checks }
        if domain.state == .serving { checks.append(MountCheck(domain: domain, world: world)) }
        checks.append(ServerCheck(domain: domain, version: version, world: world))
        checks.append(ReplicaCheck(domain: domain, isDeep: isDeep))
        return checks
    }

    private func run(_ checks: [any Check], _ tell: (Finding) -> Void) async {
        for check in checks {
            for finding in await check.findings() { tell(finding) }
        }
    }
}
