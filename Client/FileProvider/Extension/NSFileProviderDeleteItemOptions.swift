/// What the system adds to a deletion.
public struct NSFileProviderDeleteItemOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A folder goes with all that is in it; each deleted item is then reported through the working set.
    public static let recursive = NSFileProviderDeleteItemOptions(rawValue: 1 << 0)
}
