import FoundationEssentials

/// A JSON value that a test writes as a literal, and takes apart by subscripts.
enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }

    /// The same JSON, its members in order.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A value of this type always has a JSON.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    // MARK: Taking apart

    /// A member; `null` where there is none.
    subscript(key: String) -> JSON {
        members[key] ?? .null
    }

    subscript(index: Int) -> JSON {
        elements.indices.contains(index) ? elements[index] : .null
    }

    var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The text; empty for everything else.
    var text: String {
        if case .string(let text) = self { text } else { "" }
    }

    var int: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }

    var isNull: Bool { self == .null }
}

extension JSON: Codable {
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: MemberName.self) {
            var members: [String: JSON] = [:]
            for key in object.allKeys {
                members[key.stringValue] = try object.decode(JSON.self, forKey: key)
            }
            self = .object(members)
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !array.isAtEnd { elements.append(try array.decode(JSON.self)) }
            self = .array(elements)
        } else {
            self = try Self(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar: any SingleValueDecodingContainer) throws {
        if let text = try? scalar.decode(String.self) {
            self = .string(text)
        } else if let number = try? scalar.decode(Int64.self) {
            self = .integer(number)
        } else if let flag = try? scalar.decode(Bool.self) {
            self = .bool(flag)
        } else if scalar.decodeNil() {
            self = .null
        } else {
            self = .number(try scalar.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByFloatLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
