import BasketSupport

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let moment = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is no date such as "
                        + "2026-11-21T09:30:00Z between 1678 and 2262"))
        }
        self = moment
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}
