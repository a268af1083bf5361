/// An argument on a message bus, of one of the types that somebody here speaks of.
package indirect enum BusValue: Equatable, Sendable {
    case text(String)
    /// What an object is called. One that was not heard on a bus has to be well-formed: who says it is cut off otherwise.
    case path(String)
    case flag(Bool)
    case bytes([UInt8])
    /// Values of one type. Its signature is said, too, for a list with nothing in it.
    case list(of: String, [BusValue])
    /// A key and its value, in a list of such.
    case pair(BusValue, BusValue)
    case structure([BusValue])
    case variant(BusValue)
    /// Of another type.
    case other

    /// Names with a text for each.
    package static func texts(_ texts: [String: String]) -> BusValue {
        .list(
            of: "{ss}",
            texts.sorted { $0.key < $1.key }.map { .pair(.text($0.key), .text($0.value)) })
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var path: String? {
        if case .path(let path) = self { path } else { nil }
    }

    package var flag: Bool? {
        if case .flag(let flag) = self { flag } else { nil }
    }

    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// What is in a list or a structure.
    package var parts: [BusValue]? {
        switch self {
        case .list(_, let parts), .structure(let parts): parts
        default: nil
        }
    }

    /// What a variant holds.
    package var content: BusValue? {
        if case .variant(let content) = self { content } else { nil }
    }

    /// How the bus writes its type.
    package var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .bytes: "ay"
        case .list(let element, _): "a" + element
        case .pair(let key, let value): "{\(key.signature)\(value.signature)}"
        case .structure(let parts): "(" + parts.map(\.signature).joined() + ")"
        case .variant: "v"
        case .other: ""
        }
    }
}
