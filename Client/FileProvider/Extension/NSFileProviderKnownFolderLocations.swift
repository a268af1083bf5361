import Foundation

/// Which folders of a domain stand for a person's desktop and documents. Both have the same parent.
public final class NSFileProviderKnownFolderLocations: NSObject {
    public var desktopLocation: Location?
    public var documentsLocation: Location?
    /// Whether a symbolic link leads from the folder's place in the domain to where it really lies.
    public var shouldCreateBinaryCompatibilitySymlink = true

    /// A folder of the domain, by its place or by its identifier.
    public final class Location: NSObject, Sendable {
        package enum Place: Hashable, Sendable {
            case named(String, in: NSFileProviderItemIdentifier)
            case existing(NSFileProviderItemIdentifier)
        }

        package let place: Place

        /// The folder of that name, which is made if it does not exist.
        public init(parentItemIdentifier: NSFileProviderItemIdentifier, filename: String) {
            place = .named(filename, in: parentItemIdentifier)
        }

        /// Exactly that folder.
        public init(existingItemIdentifier: NSFileProviderItemIdentifier) {
            place = .existing(existingItemIdentifier)
        }
    }
}
