import BasketDatabase

extension NodeID: SQLiteValue {
    package var sqlite: SQLiteScalar { .integer(rawValue) }

    package init?(sqlite: SQLiteScalar) {
        guard case .integer(let number) = sqlite else { return nil }
        self.init(rawValue: number)
    }
}
