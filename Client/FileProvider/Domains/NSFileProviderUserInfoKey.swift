/// A key in a domain's `userInfo` that the system reads.
public struct NSFileProviderUserInfoKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The value is an integer from 0 to 31; a domain with another one cannot be added.
    public static let experimentID = NSFileProviderUserInfoKey("NSFileProviderUserInfoExperimentID")
}
