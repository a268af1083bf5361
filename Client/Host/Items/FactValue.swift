import BasketSupport
import FileProvider
import FileProviderRules

/// A value that a provider says of an item for rules.
enum FactValue: Sendable, Equatable, Decodable {
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case date(Timestamp)

    /// A date has a key of its own, as JSON has no dates.
    private enum DateKey: String, CodingKey {
        case nanoseconds
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: DateKey.self) {
            self = .date(
                Timestamp(nanoseconds: try container.decode(Int64.self, forKey: .nanoseconds)))
            return
        }
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let real = try? container.decode(Double.self) {
            self = .real(real)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Nil for what rules know nothing of.
    init?(_ value: DomainUserInfo.Value) {
        switch value {
        case .text(let text): self = .text(text)
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .flag(let flag): self = .flag(flag)
        case .date(let date): self = .date(Timestamp(date: date))
        case .data: return nil
        }
    }

    var value: PredicateValue {
        switch self {
        case .flag(let flag): .bool(flag)
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .string(text)
        case .date(let date): .date(date)
        }
    }
}
