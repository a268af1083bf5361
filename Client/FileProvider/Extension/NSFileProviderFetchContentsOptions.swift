/// What the system adds to a partial fetch.
public struct NSFileProviderFetchContentsOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Only the version that is asked for will do; if it is gone, the answer is `versionNoLongerAvailable`.
    public static let strictVersioning = NSFileProviderFetchContentsOptions(rawValue: 1 << 0)
}
