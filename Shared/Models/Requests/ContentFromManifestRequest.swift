import BasketContent
import BasketSupport

/// `PUT …/items/I/content` with a manifest instead of bytes.
package struct ContentFromManifestRequest: Codable, Sendable {
    package var manifest: Manifest
    /// The content's own date; else the moment of the request.
    package var modified: Timestamp?

    package init(manifest: Manifest, modified: Timestamp? = nil) {
        self.manifest = manifest
        self.modified = modified
    }
}
