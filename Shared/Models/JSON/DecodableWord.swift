/// A word of the API out of a few. Who sends another one is told which there are.
package protocol DecodableWord: RawRepresentable<String>, CaseIterable, Codable {}

extension DecodableWord {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let word = Self(rawValue: text) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is none of \(known)"))
        }
        self = word
    }
}
