/// A tag as it is looked up: an extension without its dot, or a MIME type without its parameters.
struct TypeTag: Hashable {
    /// No file name on Linux is longer; no registered MIME type is either.
    static let mostBytes = 255

    let text: String
    let tagClass: UTTagClass

    /// Nil for what cannot be a tag: nothing, a path, control characters, or more than a name holds.
    init?(_ text: String, _ tagClass: UTTagClass) {
        var bytes = Array(text.utf8)
        if tagClass == .mimeType {
            bytes = Array(bytes.prefix { $0 != UInt8(ascii: ";") })
            while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
            bytes = bytes.map { (65...90).contains($0) ? $0 | 32 : $0 }
            guard bytes.count(where: { $0 == UInt8(ascii: "/") }) == 1,
                bytes.first != UInt8(ascii: "/"), bytes.last != UInt8(ascii: "/"),
                bytes.allSatisfy({ (33...126).contains($0) })
            else { return nil }
        } else if tagClass == .filenameExtension {
            if bytes.first == UInt8(ascii: ".") { bytes.removeFirst() }
            guard bytes.allSatisfy({ $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "/") }) else {
                return nil
            }
        } else {
            return nil
        }
        guard !bytes.isEmpty, bytes.count <= Self.mostBytes else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
        self.tagClass = tagClass
    }
}
