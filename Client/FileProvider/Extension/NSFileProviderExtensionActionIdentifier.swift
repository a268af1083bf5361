/// Names an action that `Info.plist` declares under `NSExtensionFileProviderActions`.
public struct NSFileProviderExtensionActionIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
