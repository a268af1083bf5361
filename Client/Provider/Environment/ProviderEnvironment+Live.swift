import BasketConnection
import BasketSupport
import FileProvider
import Foundation
import Synchronization

extension ProviderEnvironment {
    /// The network, as the domains of this process share it.
    private static let transports = TransportRegistry()
    private static let events = EventRegistry()

    /// What a domain says of itself, with the machine's own clock, disk and network.
    static func live(
        _ domain: NSFileProviderDomain, _ world: World
    ) throws -> ProviderEnvironment {
        let settings = try DomainSettings(domain.record.userInfo)
        let path = try settings.credentials ?? statePath(of: domain) + "/credentials.json"
        let (server, bandwidth) = (settings.server, settings.bandwidth)
        return ProviderEnvironment(
            world: world, domain: settings.domain, deviceName: settings.device,
            credentials: FileCredentialStore(
                path: path, server: server.url, keyring: DesktopKeyring.own(world.files),
                world: world),
            events: events, server: "\(server)"
        ) { token in
            ServerConnection(
                transport: transports.transport(to: server, within: bandwidth),
                credentials: .token(token),
                world: world, compresses: !server.isLocal)
        }
    }

    private static func statePath(of domain: NSFileProviderDomain) throws -> String {
        guard let manager = NSFileProviderManager(for: domain) else {
            throw ProviderFailure.misconfigured("Nobody hosts the domain.")
        }
        return try manager.stateDirectoryURL().path
    }
}
