import BasketModels
import FileProvider
import Foundation

extension NSFileProviderItemVersion {
    convenience init(content: Version, metadata: Version) {
        self.init(
            contentVersion: Data(content.description.utf8),
            metadataVersion: Data(metadata.description.utf8))
    }

    /// The content version that the system had seen of an item; nil for what is none of ours.
    func content(of item: String) -> Version? { Self.version(contentVersion, of: item) }

    /// The metadata version that the system had seen of an item; nil for what is none of ours.
    func metadata(of item: String) -> Version? { Self.version(metadataVersion, of: item) }

    /// Before the first agreement there was the template, and what the server made of that bears the item's
    /// own identifier as its first version.
    private static func version(_ data: Data, of item: String) -> Version? {
        guard data == beforeFirstSyncComponent else {
            return Version(String(decoding: data, as: UTF8.self))
        }
        // Those that go by names are not made by anybody here.
        return ["root", "trash"].contains(item) ? nil : Version(item)
    }
}
