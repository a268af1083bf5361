import BasketSupport

extension Timestamp: SQLiteValue {
    package var sqlite: SQLiteScalar { .integer(nanoseconds) }

    package init?(sqlite: SQLiteScalar) {
        guard case .integer(let number) = sqlite else { return nil }
        self.init(nanoseconds: number)
    }
}

extension CaseRule: SQLiteValue {}
