/// What can be bound to a statement and read from a column. Reading is strict: a column of another
/// type is a bug to show, not a zero.
@usableFromInline
package protocol SQLiteValue {
    var sqlite: SQLiteScalar { get }
    init?(sqlite: SQLiteScalar)
}

extension Int64: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { .integer(self) }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        guard case .integer(let number) = sqlite else { return nil }
        self = number
    }
}

extension Int: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { .integer(Int64(self)) }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        guard case .integer(let number) = sqlite else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { .integer(self ? 1 : 0) }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        switch sqlite {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { .real(self) }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        guard case .real(let number) = sqlite else { return nil }
        self = number
    }
}

extension String: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { .text(self) }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        guard case .text(let text) = sqlite else { return nil }
        self = text
    }
}

extension [UInt8]: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { .blob(self) }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        guard case .blob(let bytes) = sqlite else { return nil }
        self = bytes
    }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { self?.sqlite ?? .null }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        if sqlite == .null {
            self = .none
        } else {
            guard let value = Wrapped(sqlite: sqlite) else { return nil }
            self = .some(value)
        }
    }
}

/// Enums that are stored as their numbers or words need no code of their own.
extension SQLiteValue where Self: RawRepresentable, RawValue: SQLiteValue {
    @inlinable
    package var sqlite: SQLiteScalar { rawValue.sqlite }

    @inlinable
    package init?(sqlite: SQLiteScalar) {
        guard let raw = RawValue(sqlite: sqlite) else { return nil }
        self.init(rawValue: raw)
    }
}
