import Foundation

/// A version of a domain's state. An extension keeps one, and takes the next whenever the state changes.
public final class NSFileProviderDomainVersion: NSObject, NSSecureCoding, Comparable, Sendable {
    private static let key = "version"

    private let number: Int64

    /// The first version.
    public override init() {
        number = 0
    }

    private init(_ number: Int64) {
        self.number = number
    }

    /// A greater version than this one.
    public func next() -> NSFileProviderDomainVersion {
        NSFileProviderDomainVersion(number == .max ? number : number + 1)
    }

    public static func < (
        left: NSFileProviderDomainVersion, right: NSFileProviderDomainVersion
    ) -> Bool {
        left.number < right.number
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSFileProviderDomainVersion)?.number == number
    }

    public override var hash: Int { number.hashValue }

    public override var description: String { "domain version \(number)" }

    public static var supportsSecureCoding: Bool { true }

    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Self.key) else { return nil }
        let number = coder.decodeInt64(forKey: Self.key)
        guard number >= 0 else { return nil }
        self.number = number
    }

    public func encode(with coder: NSCoder) {
        coder.encode(number, forKey: Self.key)
    }

    /// For the system's own records.
    package var stored: Int64 { number }

    /// From the system's own records; nil for what was never a version.
    package convenience init?(stored: Int64) {
        guard stored >= 0 else { return nil }
        self.init(stored)
    }
}
