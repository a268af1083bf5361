import Foundation

/// A domain's `userInfo` as a value that can be sent, compared and stored.
package struct DomainUserInfo: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case text(String)
        case integer(Int64)
        case real(Double)
        case flag(Bool)
        case date(Date)
        case data(Data)
    }

    /// Under it a program says which names the domain takes: `posix` or `portable`. It is heard once, when the domain is
    /// new.
    package static let caseRuleKey = "case-rule"

    package private(set) var entries: [String: Value] = [:]
    /// Whether something had to be left out, or an experiment's number is none.
    package private(set) var isValid = true

    package init(entries: [String: Value]) {
        self.entries = entries
        checkExperiment()
    }

    package init(_ values: [AnyHashable: Any]) {
        for (key, value) in values {
            let name = key.base as? String ?? (key.base as? NSFileProviderUserInfoKey)?.rawValue
            if let name, let value = Value(value) {
                entries[name] = value
            } else {
                isValid = false
            }
        }
        checkExperiment()
    }

    package var values: [AnyHashable: Any] {
        entries.reduce(into: [:]) { $0[AnyHashable($1.key)] = $1.value.any }
    }

    private mutating func checkExperiment() {
        guard let experiment = entries[NSFileProviderUserInfoKey.experimentID.rawValue] else {
            return
        }
        guard case .integer(let number) = experiment, (0...31).contains(number) else {
            isValid = false
            return
        }
    }
}

extension DomainUserInfo.Value {
    package init?(_ value: Any) {
        // A number of Foundation's would pass for a flag, and a flag for a number.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            self = Int64(exactly: number).map { .integer($0) } ?? .real(number.doubleValue)
            return
        }
        switch value {
        case let text as String: self = .text(text)
        case let flag as Bool: self = .flag(flag)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let number as any BinaryInteger:
            guard let number = Int64(exactly: number) else { return nil }
            self = .integer(number)
        case let number as any BinaryFloatingPoint: self = .real(Double(number))
        default: return nil
        }
    }

    var any: Any {
        switch self {
        case .text(let value): value
        case .integer(let value): Int(value)
        case .real(let value): value
        case .flag(let value): value
        case .date(let value): value
        case .data(let value): value
        }
    }
}
