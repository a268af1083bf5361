import BasketModels

/// When each field of an item's metadata last changed, as metadata versions: two people who change
/// different fields of one item don't get in each other's way.
struct FieldStamps: Equatable, Sendable {
    /// A field that changes on its own. The numbers are places in the stored bytes.
    enum Field: Int, CaseIterable {
        case place  // Name and parent: a rename and a move race with each other.
        case created
        case modified
        case used
        case mode
        case flags
        case favorite
        case tags
        case target
    }

    private var values: [Int64]

    /// All fields as old as the item.
    init(all version: Version) {
        values = Array(repeating: version.rawValue, count: Field.allCases.count)
    }

    /// Nil for bytes of another length: then every field counts as changed by the newest version.
    init?(bytes: [UInt8]) {
        guard bytes.count == Field.allCases.count * 8 else { return nil }
        values = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
        }
    }

    var bytes: [UInt8] {
        values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        }
    }

    subscript(field: Field) -> Version {
        get { Version(rawValue: values[field.rawValue]) }
        set { values[field.rawValue] = newValue.rawValue }
    }
}
