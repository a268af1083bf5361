import FileProvider
import Foundation

/// What a program has written into a domain's `userInfo`, as the record holds it.
enum StoredValue: Codable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case flag(Bool)
    case date(Date)
    case data(Data)

    init(_ value: DomainUserInfo.Value) {
        self =
            switch value {
            case .text(let value): .text(value)
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .flag(let value): .flag(value)
            case .date(let value): .date(value)
            case .data(let value): .data(value)
            }
    }

    var value: DomainUserInfo.Value {
        switch self {
        case .text(let value): .text(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .flag(let value): .flag(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        }
    }
}
