/// An open file or folder, as the kernel names it from then on.
package struct OpenHandle: Sendable {
    package let number: UInt64
    /// What the kernel has of it, it may go on to use.
    package let keepsCache: Bool
    /// Of a folder: whether the kernel keeps what is listed.
    package let keepsListing: Bool
    /// Of a file: whether it is read and written without the kernel, which has no say in where it ends then.
    package let isDirect: Bool

    package init(
        number: UInt64, keepsCache: Bool, keepsListing: Bool = false, isDirect: Bool = false
    ) {
        self.number = number
        self.keepsCache = keepsCache
        self.keepsListing = keepsListing
        self.isDirect = isDirect
    }
}
