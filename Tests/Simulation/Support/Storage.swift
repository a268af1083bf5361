import BasketSupport
import FileProvider
import Foundation

/// What devices share: a place where things are kept, and an extension that speaks for it.
protocol Storage: Sendable {
    /// An extension for a device, over its network. The domain knows the device's system.
    func makeExtension(
        for device: String, domain: NSFileProviderDomain, network: Network, world: World
    ) async throws -> any NSFileProviderReplicatedExtension & Sendable

    /// All paths with what lies there, for a device: a file's text, and `/` for a folder.
    func tree(for device: String) throws -> [String: String]

    /// What is said of each path besides, for a device.
    func details(for device: String) throws -> [String: ItemDetails]

    /// Whether attributes that two people set are merged, each by itself.
    var mergesAttributes: Bool { get }

    /// All texts that a person can still get there: also earlier versions, where it keeps any.
    func texts() throws -> Set<String>

    /// Each text that it keeps together with the one that its writer had seen, by its own account, where it keeps
    /// such an account.
    func descents() throws -> [(text: String, base: String)]

    /// What was put beside something else since it was last asked.
    func races() throws -> [Race]

    /// A number that grows with each version of a content; nil for what is no version.
    func rank(of version: Data) -> Int64?

    /// What was deleted, as far as anybody remembers.
    func gone() throws -> [GoneItem]

    /// What is kept of an item: what is there, and what lost a race; and earlier versions, with their names.
    func contents(
        of item: String
    ) throws -> (present: Set<String>, former: [(version: String, text: String)])

    /// Whether anybody can look into it just now.
    var isUp: Bool { get }

    /// Something happens to it, if it can.
    func suffer(_ mishap: StorageMishap) async throws

    /// What must never be, whatever happens.
    func oddities() async throws -> [String]

    /// What is wrong at the end with what it has told everybody who listened.
    func tidingsGoneWrong() async throws -> [String]

    /// What is wrong with it, by its own account.
    func complaints() async throws -> [String]

    func close() async
}
