import Foundation

/// A version of an item: one opaque blob for the content, one for everything else.
///
/// Versions are only ever compared for equality. Each component has at most 128 bytes.
public final class NSFileProviderItemVersion: NSObject, Sendable {
    /// Changes whenever the data fork or the resource fork does.
    public let contentVersion: Data
    /// Changes with anything but the content. The system stores it and sends it back, and compares the
    /// metadata themselves.
    public let metadataVersion: Data

    public init(contentVersion: Data, metadataVersion: Data) {
        self.contentVersion = contentVersion
        self.metadataVersion = metadataVersion
    }

    /// A version with two empty components, as `NSObject` has it made on Apple's systems.
    public override convenience init() {
        self.init(contentVersion: Data(), metadataVersion: Data())
    }

    /// Stands in a base version for a component on which disk and provider never agreed. Apple says
    /// nothing about its bytes; here they are the ASCII text `\0before-first-sync`.
    public static let beforeFirstSyncComponent = Data("\0before-first-sync".utf8)

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFileProviderItemVersion else { return false }
        return contentVersion == other.contentVersion && metadataVersion == other.metadataVersion
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(contentVersion)
        hasher.combine(metadataVersion)
        return hasher.finalize()
    }

    /// Longer components are refused by the system.
    package static let mostBytes = 128
}
