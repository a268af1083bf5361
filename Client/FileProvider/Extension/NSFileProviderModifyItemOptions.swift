/// What the system adds to a modification.
public struct NSFileProviderModifyItemOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The item moves because its folder is merged into another, which may hold its twin.
    public static let mayAlreadyExist = NSFileProviderModifyItemOptions(rawValue: 1 << 0)
    /// A base version that is not the server's is an error, `localVersionConflictingWithServer`. Set only for providers that declare `NSExtensionFileProviderSupportsFailingUploadOnConflict`.
    public static let failOnConflict = NSFileProviderModifyItemOptions(rawValue: 1 << 1)
    /// An application asked for the upload: the call completes when the content is on the server.
    public static let isImmediateUploadRequestByPresentingApplication =
        NSFileProviderModifyItemOptions(rawValue: 1 << 2)
}
