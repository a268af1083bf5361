/// The fields of an item that can change on their own. Every bit but `contents` is the property of the same
/// name; what has no bit goes only from the provider to the system, or comes with a creation.
public struct NSFileProviderItemFields: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The data fork and the resource fork.
    public static let contents = NSFileProviderItemFields(rawValue: 1 << 0)
    /// The name, with its extension.
    public static let filename = NSFileProviderItemFields(rawValue: 1 << 1)
    /// The folder that the item lies in.
    public static let parentItemIdentifier = NSFileProviderItemFields(rawValue: 1 << 2)
    /// When a person last opened the item.
    public static let lastUsedDate = NSFileProviderItemFields(rawValue: 1 << 3)
    /// The tags, as an opaque blob.
    public static let tagData = NSFileProviderItemFields(rawValue: 1 << 4)
    /// The place among the favourites.
    public static let favoriteRank = NSFileProviderItemFields(rawValue: 1 << 5)
    /// When the item was made.
    public static let creationDate = NSFileProviderItemFields(rawValue: 1 << 6)
    /// When the contents last changed.
    public static let contentModificationDate = NSFileProviderItemFields(rawValue: 1 << 7)
    /// Who may do what, and what is shown.
    public static let fileSystemFlags = NSFileProviderItemFields(rawValue: 1 << 8)
    /// Those extended attributes that are synchronised.
    public static let extendedAttributes = NSFileProviderItemFields(rawValue: 1 << 9)
    /// The type and creator codes of old Macs.
    public static let typeAndCreator = NSFileProviderItemFields(rawValue: 1 << 10)
}
