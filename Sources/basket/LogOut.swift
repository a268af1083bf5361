import BasketProvider
import BasketSupport
import FileProviderDaemon

/// Gives a domain's log-in back: nobody needs it any more.
enum LogOut {
    static func ofDomain(_ domain: HostedDomainState) async {
        // Of a domain that nobody is logged in to, there is nothing to give back.
        let server = try? DomainServer(info: domain.info, world: World.live(log: .silent))
        await server?.logOut()
    }
}
