/// Names a decoration that `Info.plist` declares under `NSFileProviderDecorations`.
public struct NSFileProviderItemDecorationIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
