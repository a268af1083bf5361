import BasketSupport
import FileProviderRules

/// A text that people see, with places for what is known by then.
package struct DeclaredText: Sendable, Equatable {
    static let mostValues = 10

    let format: String
    /// Key paths, for `%@` in their order or `%2$@` by their number; nil: the text is as it stands.
    let values: [String]?

    /// A value that is not there leaves its place empty.
    func text(for object: some PredicateObject) -> String {
        guard let values else { return format }
        let shown = values.map { object.value(along: $0).map(Self.words) ?? "" }
        var text = ""
        var rest = Substring(format)
        var next = 0
        while let start = rest.firstIndex(of: "%") {
            text += rest[..<start]
            rest = rest[rest.index(after: start)...]
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits), rest.dropFirst(digits.count).hasPrefix("$@") {
                if shown.indices.contains(number - 1) { text += shown[number - 1] }
                rest = rest.dropFirst(digits.count + 2)
            } else if rest.first == "@" {
                if shown.indices.contains(next) { text += shown[next] }
                next += 1
                rest = rest.dropFirst()
            } else {
                text += "%"
            }
        }
        return text + rest
    }

    private static func words(_ value: PredicateValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): flag ? "1" : "0"
        case .date(let date): date.rfc3339
        case .null, .data, .list, .object: ""
        }
    }
}
