/// A blob that is durable, and that no row names yet.
package struct StagedBlob: Hashable, Sendable {
    package let number: Int64
    package let size: Int64

    package init(number: Int64, size: Int64) {
        self.number = number
        self.size = size
    }
}
