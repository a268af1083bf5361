/// What a provider adds to the content that it returns for a partial fetch.
public struct NSFileProviderMaterializationFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Holes in the file are real zeros. Only for a range that is the whole file.
    public static let knownSparseRanges = NSFileProviderMaterializationFlags(rawValue: 1 << 0)
}
