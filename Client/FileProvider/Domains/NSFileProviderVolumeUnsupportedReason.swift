/// Why domains cannot be stored on a volume; the empty set for none.
public struct NSFileProviderVolumeUnsupportedReason: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// For some other reason.
    public static let unknown = NSFileProviderVolumeUnsupportedReason(rawValue: 1 << 0)
    /// Its file system lacks what is needed.
    public static let nonAPFS = NSFileProviderVolumeUnsupportedReason(rawValue: 1 << 1)
    /// It is not encrypted.
    public static let nonEncrypted = NSFileProviderVolumeUnsupportedReason(rawValue: 1 << 2)
    /// It cannot be written to.
    public static let readOnly = NSFileProviderVolumeUnsupportedReason(rawValue: 1 << 3)
    /// It lies on another machine.
    public static let network = NSFileProviderVolumeUnsupportedReason(rawValue: 1 << 4)
    /// It is quarantined.
    public static let quarantined = NSFileProviderVolumeUnsupportedReason(rawValue: 1 << 5)
}
