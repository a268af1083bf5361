/// An item's POSIX permission bits, written as people write them: `"0644"`.
package struct FileMode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init?(rawValue: Int) {
        guard (0...0o7777).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: Int) {
        self.rawValue = rawValue
    }

    package init?(octal text: String) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "7")
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(digits.contains),
            let number = UInt16(text, radix: 8)
        else { return nil }
        self.init(rawValue: Int(number))
    }

    package static let file = FileMode(known: 0o644)
    package static let folder = FileMode(known: 0o755)
    package static let symlink = FileMode(known: 0o777)

    package static func standard(for kind: ItemKind) -> FileMode {
        switch kind {
        case .file: file
        case .folder: folder
        case .symlink: symlink
        }
    }
}

extension FileMode: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let mode = FileMode(octal: text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is no mode such as \"0644\""))
        }
        self = mode
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension FileMode: CustomStringConvertible {
    package var description: String {
        let digits = String(rawValue, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
