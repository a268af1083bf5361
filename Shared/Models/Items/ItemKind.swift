/// What an item is. The numbers are those of the database.
package enum ItemKind: Int, Sendable, CaseIterable {
    case file = 1
    case folder = 2
    case symlink = 3

    package var word: String {
        switch self {
        case .file: "file"
        case .folder: "folder"
        case .symlink: "symlink"
        }
    }

    package init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }
}

extension ItemKind: Codable {
    package init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        guard let kind = ItemKind(word: word) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(word.prefix(40))” is none of file, folder, symlink"))
        }
        self = kind
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
