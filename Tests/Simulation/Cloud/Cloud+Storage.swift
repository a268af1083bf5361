import BasketSupport
import FileProvider

extension Cloud: Storage {
    func makeExtension(
        for device: String, domain: NSFileProviderDomain, network: Network, world: World
    ) async throws -> any NSFileProviderReplicatedExtension & Sendable {
        let manager = NSFileProviderManager(for: domain)
        observe {
            // The event stream tells nothing while the network is cut.
            if !network.isCut { manager?.signalEnumerator(for: .workingSet) { _ in } }
        }
        return isLazy
            ? CloudExtension(self, device: device, network: network, world: world)
            : CompleteCloudExtension(self, device: device, network: network, world: world)
    }

    func texts() throws -> Set<String> { Set(tree().values) }

    func complaints() async throws -> [String] { [] }

    func close() async {}
}
