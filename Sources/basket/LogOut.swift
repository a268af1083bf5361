import BasketProvider
import BasketSupport
import FileProviderDaemon

/// Gives a domain's log-in back: nobody needs it any more.
enum LogOut {
    private static let patience = Duration.seconds(5)

    /// - Returns: false where the server did not hear of it.
    static func ofDomain(_ domain: HostedDomainState) async -> Bool {
        let world = World.live(log: .silent)
        // Of a domain that nobody is logged in to, there is nothing to give back.
        guard let server = try? DomainServer(info: domain.info, world: world) else { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await server.logOut() }
            group.addTask {
                try? await world.sleep(patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
