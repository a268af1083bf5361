import BasketConnection
import BasketProvider
import BasketSupport
import FileProvider
import FileProviderDaemon

/// Gives a domain's log-in back: nobody needs it any more.
enum LogOut {
    /// Where the server cannot be reached, it keeps knowing the device, until somebody revokes it.
    static func ofDomain(_ domain: HostedDomainState) async {
        guard let info = domain.info,
            let settings = try? DomainSettings(
                DomainUserInfo(entries: info.mapValues { .text($0) })),
            let file = settings.credentials
        else { return }
        let world = World.live(log: .silent)
        let store = FileCredentialStore(
            path: file, server: settings.server.url, files: world.files)
        guard let credentials = try? store.credentials() else { return }
        let server = ServerConnection(
            transport: CurlTransport(settings.server), credentials: .token(credentials.token),
            world: world, retries: RetryPolicy(mostAttempts: 1))
        try? await server.logOut()
        try? store.forget()
    }
}
