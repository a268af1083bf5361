/// Finds the first number in a JSON document that is no whole number of 64 bits. The decoder says
/// of one only that the document is not valid, which would send people looking for a comma.
struct MisfitNumber: Decodable {
    /// Where it stands; nil where there is none.
    private(set) var path: [String]?

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            for name in members.allKeys {
                let inner = try members.decode(MisfitNumber.self, forKey: name)
                guard let rest = inner.path else { continue }
                path = [name.stringValue] + rest
                return
            }
        } else if var values = try? decoder.unkeyedContainer() {
            while !values.isAtEnd {
                let index = values.currentIndex
                guard let rest = try values.decode(MisfitNumber.self).path else { continue }
                path = ["\(index)"] + rest
                return
            }
        } else {
            do {
                _ = try decoder.singleValueContainer().decode(Int64.self)
            } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
                // Something else than a number.
            } catch {
                path = []
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
