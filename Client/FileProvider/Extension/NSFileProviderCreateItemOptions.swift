/// What the system adds to a creation.
public struct NSFileProviderCreateItemOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The item was found on the disk and may be one that the provider has: after a reimport, or while folders merge.
    public static let mayAlreadyExist = NSFileProviderCreateItemOptions(rawValue: 1 << 0)
    /// The provider deleted the item while it was edited here: the template bears the deleted item's identifier.
    public static let deletionConflicted = NSFileProviderCreateItemOptions(rawValue: 1 << 1)
}
