/// What a file manager on another system may ask to be kept for an item.
package struct ItemFlags: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let hidden = ItemFlags(rawValue: 1)
    package static let extensionHidden = ItemFlags(rawValue: 2)
    package static let package = ItemFlags(rawValue: 4)

    package static let words: [(word: String, flag: ItemFlags)] = [
        ("hidden", .hidden), ("extensionHidden", .extensionHidden), ("package", .package),
    ]
}

extension ItemFlags: Codable {
    package init(from decoder: any Decoder) throws {
        var flags: ItemFlags = []
        for word in try decoder.singleValueContainer().decode([String].self) {
            guard let known = Self.words.first(where: { $0.word == word }) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "“\(word.prefix(40))” is no flag: "
                            + Self.words.map(\.word).joined(separator: ", ")))
            }
            flags.insert(known.flag)
        }
        self = flags
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.words.filter { contains($0.flag) }.map(\.word))
    }
}
