extension String {
    /// Whether it is the same byte for byte, and not just the same to Unicode: a file system tells these apart.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
