/// A place on the disk: a blob, by its number, and where in it.
package struct BlobPlace: Hashable, Sendable {
    package let blob: Int64
    package let position: Int64

    package init(blob: Int64, position: Int64) {
        self.blob = blob
        self.position = position
    }
}
