import BasketSupport
import FileProvider
import Foundation

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

    func descents() throws -> [(text: String, base: String)] { [] }

    func rank(of version: Data) -> Int64? { Int64(String(decoding: version, as: UTF8.self)) }

    func complaints() async throws -> [String] { [] }

    func close() async {}
}
