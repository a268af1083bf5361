extension UTType {
    /// What a file is by its name alone. Asked for each item of a listing, and so without a detour by Foundation.
    package static func ofFile(named name: String) -> UTType {
        let bytes = name.utf8
        // A name that begins with its only dot is that of a hidden file.
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else {
            return .data
        }
        let end = bytes[bytes.index(after: dot)...]
        guard !end.isEmpty else { return .data }
        return UTType(filenameExtension: String(Substring(end))) ?? .data
    }
}
