import BasketSupport
import FileProvider

/// What devices share: a place where things are kept, and an extension that speaks for it.
protocol Storage: Sendable {
    /// An extension for a device, over its network. The domain knows the device's system.
    func makeExtension(
        for device: String, domain: NSFileProviderDomain, network: Network, world: World
    ) async throws -> any NSFileProviderReplicatedExtension & Sendable

    /// All paths with what lies there: a file's text, and `/` for a folder.
    func tree() throws -> [String: String]

    /// All texts that a person can still get there: also earlier versions, where it keeps any.
    func texts() throws -> Set<String>

    /// What is wrong with it, by its own account.
    func complaints() async throws -> [String]

    func close() async
}
