import BasketContent

/// The chunks of a content, and which version it is.
package struct ManifestAnswer: Decodable, Sendable {
    package var version: Version
    package var manifest: Manifest
}
