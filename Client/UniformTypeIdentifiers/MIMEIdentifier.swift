/// The identifier of a type that only the database of MIME types knows, and back.
///
/// `application/x-blender` is `org.freedesktop.mime.application.x-blender`. What an identifier may not
/// hold is written as two hyphens and two hexadecimal digits, so that each name has one spelling.
enum MIMEIdentifier {
    static let prefix = "org.freedesktop.mime."

    static func identifier(of mimeType: String) -> String? {
        guard let tag = TypeTag(mimeType, .mimeType), tag.text == mimeType else { return nil }
        let parts = mimeType.utf8.split(separator: UInt8(ascii: "/"))
        guard parts.count == 2, !parts[0].contains(UInt8(ascii: ".")) else { return nil }
        return prefix + escaped(Array(parts[0])) + "." + escaped(Array(parts[1]))
    }

    static func mimeType(of identifier: String) -> String? {
        guard identifier.hasPrefix(prefix), identifier.utf8.count <= 4 * TypeTag.mostBytes else {
            return nil
        }
        let name = Array(identifier.utf8.dropFirst(prefix.utf8.count))
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")),
            let type = unescaped(name[..<dot]), let subtype = unescaped(name[(dot + 1)...])
        else { return nil }
        let found = type + "/" + subtype
        return self.identifier(of: found) == identifier ? found : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: ".")
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            let next = index + 1 < bytes.count ? bytes[index + 1] : UInt8(ascii: ".")
            // A hyphen before what begins with a hyphen would read as the beginning of an escape.
            if isPlain(byte) || (byte == UInt8(ascii: "-") && isPlain(next)) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte < 16 ? "--0" : "--"
                text += String(byte, radix: 16)
            }
        }
        return text
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
        var found: [UInt8] = []
        var rest = bytes
        let hyphens = [UInt8](repeating: UInt8(ascii: "-"), count: 2)
        while let byte = rest.first {
            guard rest.starts(with: hyphens) else {
                found.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let digits = String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            found.append(value)
            rest = rest.dropFirst(4)
        }
        return String(decoding: found, as: UTF8.self)
    }
}
