import FileProviderReplica
import Foundation

/// A picture of an item.
package struct ThumbnailEntry: Codable, Sendable, Equatable {
    package var item: ItemSummary
    /// An image file, in base64; nil where the provider has none of it.
    package var picture: Data?
}
