import BasketProvider
import BasketSupport
import FileProviderDaemon

// Domains that come, for which a daemon has to be there.
extension DaemonReach {
    private static let patience = Duration.seconds(15)

    /// Starts one where there is none.
    func requireDaemon() async throws {
        if await isThere() { return }
        let world = World.live(log: .silent)
        try DaemonStarter(places: places, program: try ProgramPath.own(), files: world.files)
            .start()
        let deadline = world.uptime() + Self.patience
        while !(await isThere()) {
            guard world.uptime() < deadline else {
                throw CommandFailure(
                    "no_daemon", "the daemon does not start.\nIts log is \(places.log).")
            }
            try await world.sleep(.milliseconds(50))
        }
    }

    func add(_ joined: DomainJoining.Joined, as name: String) async throws -> HostedDomainState {
        var request = DaemonRequest(.add, domain: joined.identifier)
        request.name = name
        request.info = joined.info
        request.hasTrash = joined.hasTrash
        request.canSearch = joined.canSearch
        return try await ask(request, for: HostedDomainState.self)
    }
}
