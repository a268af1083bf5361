/// The owner's rights to an item, and how it is shown.
public struct NSFileProviderFileSystemFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// u+x
    public static let userExecutable = NSFileProviderFileSystemFlags(rawValue: 1 << 0)
    /// u+r
    public static let userReadable = NSFileProviderFileSystemFlags(rawValue: 1 << 1)
    /// u+w
    public static let userWritable = NSFileProviderFileSystemFlags(rawValue: 1 << 2)
    /// Not shown in file browsers.
    public static let hidden = NSFileProviderFileSystemFlags(rawValue: 1 << 3)
    /// Shown without its extension.
    public static let pathExtensionHidden = NSFileProviderFileSystemFlags(rawValue: 1 << 4)
}
