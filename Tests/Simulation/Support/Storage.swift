import BasketSupport
import FileProvider
import Foundation

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

    /// Each text that it keeps together with the one that its writer had seen, by its own account, where it keeps
    /// such an account.
    func descents() throws -> [(text: String, base: String)]

    /// A number that grows with each version of a content; nil for what is no version.
    func rank(of version: Data) -> Int64?

    /// What is wrong with it, by its own account.
    func complaints() async throws -> [String]

    func close() async
}
