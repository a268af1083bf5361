/// What a request says about one field: nothing, that it should have no value, or a value.
package enum FieldChange<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    package var isKeep: Bool {
        if case .keep = self { true } else { false }
    }

    /// The value to set; nil for the others.
    package var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}

extension FieldChange: Equatable where Value: Equatable {}

extension KeyedDecodingContainer {
    /// `null` clears, a missing member keeps.
    package func change<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, forKey key: Key
    ) throws -> FieldChange<Value> {
        guard contains(key) else { return .keep }
        if try decodeNil(forKey: key) { return .clear }
        return .set(try decode(type, forKey: key))
    }
}

extension KeyedEncodingContainer {
    package mutating func encode<Value: Encodable>(
        _ change: FieldChange<Value>, forKey key: Key
    ) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
