import BasketSupport

/// Writes what is to be remembered, one state after another.
actor StateFile {
    private let path: String
    private let files: any FileSystem
    private var written: [UInt8]?

    init(path: String, files: any FileSystem) {
        self.path = path
        self.files = files
    }

    /// - Parameter newest: what there is to be written by now; it may have been written already.
    func save(_ newest: @Sendable () throws -> [UInt8]) throws {
        let bytes = try newest()
        guard bytes != written else { return }
        try files.replace(path, with: bytes)
        written = bytes
    }
}
