/// What may be done with an item. They hold for that item alone. On Apple's systems they say what file browsers offer,
/// and hold nobody back who uses the file system directly; here the file system refuses what they do not allow.
public struct NSFileProviderItemCapabilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Open the file, list the folder.
    public static let allowsReading = NSFileProviderItemCapabilities(rawValue: 1 << 0)
    /// Change the contents, add to the folder.
    public static let allowsWriting = NSFileProviderItemCapabilities(rawValue: 1 << 1)
    /// Move to another folder.
    public static let allowsReparenting = NSFileProviderItemCapabilities(rawValue: 1 << 2)
    /// Give another name.
    public static let allowsRenaming = NSFileProviderItemCapabilities(rawValue: 1 << 3)
    /// Move to the trash.
    public static let allowsTrashing = NSFileProviderItemCapabilities(rawValue: 1 << 4)
    /// Delete for good.
    public static let allowsDeleting = NSFileProviderItemCapabilities(rawValue: 1 << 5)
    /// Deprecated by `contentPolicy`, which decides.
    public static let allowsEvicting = NSFileProviderItemCapabilities(rawValue: 1 << 6)
    /// Take out of the synchronisation.
    public static let allowsExcludingFromSync = NSFileProviderItemCapabilities(rawValue: 1 << 7)
    /// For folders: add items.
    public static let allowsAddingSubItems = allowsWriting
    /// For folders: list the items.
    public static let allowsContentEnumerating = allowsReading
    /// The six oldest capabilities. Deprecated on Apple's systems: name those that you mean.
    public static let allowsAll = NSFileProviderItemCapabilities(rawValue: 63)
}
