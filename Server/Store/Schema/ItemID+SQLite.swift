import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

// How our own types lie in columns.

extension OpaqueNumber {
    package var sqlite: SQLiteScalar { .integer(rawValue) }

    package init?(sqlite: SQLiteScalar) {
        guard case .integer(let number) = sqlite else { return nil }
        self.init(rawValue: number)
    }
}

extension ItemID: SQLiteValue {}
extension Version: SQLiteValue {}
extension ItemKind: SQLiteValue {}
extension ItemFlags: SQLiteValue {
    package init?(sqlite: SQLiteScalar) {
        guard let raw = Int(sqlite: sqlite) else { return nil }
        self.init(rawValue: raw)
    }
}
extension AccountRole: SQLiteValue {}
extension DomainRole: SQLiteValue {}

extension ContentHash: SQLiteValue {
    package var sqlite: SQLiteScalar { .blob(bytes) }

    package init?(sqlite: SQLiteScalar) {
        guard case .blob(let bytes) = sqlite else { return nil }
        self.init(bytes: bytes)
    }
}
