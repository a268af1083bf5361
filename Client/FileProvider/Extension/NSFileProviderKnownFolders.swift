/// Folders of a person that a domain may hold. Here they are the XDG user directories of the same
/// purpose.
public struct NSFileProviderKnownFolders: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// `XDG_DESKTOP_DIR`
    public static let desktop = NSFileProviderKnownFolders(rawValue: 1 << 0)
    /// `XDG_DOCUMENTS_DIR`
    public static let documents = NSFileProviderKnownFolders(rawValue: 1 << 1)
}
