import BasketSupport

/// What a crash of the machine has left of a file.
struct Remains: Sendable {
    let size: Int64
    /// Whether something in it was never written: whoever sets a file's length first has its name and its length on
    /// the disk before its bytes.
    private let hasHoles: Bool
    private let proven: Int64?

    /// Nil where nothing is left.
    /// - Parameter proven: how long it was when all of it was known to be safe.
    init?(of file: Int64, in contents: ContentFiles, proven: Int64? = nil) throws(FileError) {
        guard try contents.isThere(file) else { return nil }
        let content = try contents.open(file)
        size = try content.size()
        self.proven = proven
        hasHoles = try content.data(in: 0..<size).reduce(0) { $0 + Int64($1.count) } < size
    }

    /// Whether it may be all that was there. A file that has holes of its own is none of which that can be told, but where
    /// it was safe with them. What was written to it since then nobody was told to count on.
    func isWhole(ofSize before: Int64) -> Bool {
        if let proven, size >= proven { return true }
        return size >= before && !hasHoles
    }
}
