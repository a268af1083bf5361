import BasketConnection
import BasketSupport

/// All that the extension has from outside.
package struct ProviderEnvironment: Sendable {
    package var world: World
    /// The domain, by its name or its identifier on the server.
    package var domain: String
    /// What this device is called in the names of conflict copies.
    package var deviceName: String
    package var credentials: any CredentialStore
    /// Makes a connection to the domain's server, for whoever bears the token.
    package var connect: @Sendable (_ token: String) -> ServerConnection
    /// Who listens to the server's events; domains of one process share it.
    package var events: EventRegistry
    /// Names the server among those that the registry may know.
    package var server: String
    /// How long the server is left alone while it tells nothing by itself.
    package var pollingPause: Duration
    /// From which length on a part of a content is held against hashes: as long as a chunk is on average, so that
    /// no more comes than twice what was asked for, and much less where more is.
    package var shortestCheckedPart: Int64

    package init(
        world: World, domain: String, deviceName: String, credentials: any CredentialStore,
        events: EventRegistry, server: String, pollingPause: Duration = .seconds(60),
        shortestCheckedPart: Int64 = 1 << 20,
        connect: @escaping @Sendable (_ token: String) -> ServerConnection
    ) {
        self.world = world
        self.domain = domain
        self.deviceName = deviceName
        self.credentials = credentials
        self.events = events
        self.server = server
        self.pollingPause = pollingPause
        self.shortestCheckedPart = shortestCheckedPart
        self.connect = connect
    }
}
