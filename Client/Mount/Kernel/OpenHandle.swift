/// An open file or folder, as the kernel names it from then on.
package struct OpenHandle: Sendable {
    package let number: UInt64
    /// What the kernel has of it, it may go on to use.
    package let keepsCache: Bool
    /// Of a folder: whether the kernel keeps what is listed.
    package let keepsListing: Bool

    package init(number: UInt64, keepsCache: Bool, keepsListing: Bool = false) {
        self.number = number
        self.keepsCache = keepsCache
        self.keepsListing = keepsListing
    }
}
