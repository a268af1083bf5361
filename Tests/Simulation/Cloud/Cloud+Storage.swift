import BasketSupport
import FileProvider
import Foundation
import Synchronization

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

    func tree(for device: String) throws -> [String: String] { tree() }

    /// Each change of them is one of all of them.
    var mergesAttributes: Bool { false }

    func texts() throws -> Set<String> { Set(tree().values) }

    func descents() throws -> [(text: String, base: String)] { [] }

    func races() throws -> [Race] {
        state.withLock { state in
            defer { state.races = [] }
            return state.races
        }
    }

    func rank(of version: Data) -> Int64? { Int64(String(decoding: version, as: UTF8.self)) }

    func gone() throws -> [GoneItem] {
        state.withLock { state in
            state.gone.map { item in
                GoneItem(
                    identifier: item.id, name: item.name, parent: item.parent,
                    text: item.isFolder || item.target != nil
                        ? nil : Passage.text(of: Array(item.content.utf8)))
            }
        }
    }

    func contents(
        of item: String
    ) throws -> (present: Set<String>, former: [(version: String, text: String)]) { ([], []) }

    var isUp: Bool { true }

    func suffer(_ mishap: StorageMishap) async throws {}

    func oddities() async throws -> [String] { [] }

    func tidingsGoneWrong() async throws -> [String] { [] }

    func complaints() async throws -> [String] { [] }

    func close() async {}
}
