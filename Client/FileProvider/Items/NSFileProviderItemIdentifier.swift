/// Names an item for as long as it exists. The provider chooses it, and nobody else reads anything into it.
///
/// It stays the same when the item is renamed or moved. It ends up in logs, so it holds nothing that is
/// secret.
public struct NSFileProviderItemIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The top of the tree.
    public static let rootContainer = NSFileProviderItemIdentifier(
        "NSFileProviderRootContainerItemIdentifier")
    /// The stream of changes, as a container: it is enumerated, and is nobody's parent.
    public static let workingSet = NSFileProviderItemIdentifier(
        "NSFileProviderWorkingSetContainerItemIdentifier")
    /// The parent of what lies in the trash.
    public static let trashContainer = NSFileProviderItemIdentifier(
        "NSFileProviderTrashContainerItemIdentifier")
}
