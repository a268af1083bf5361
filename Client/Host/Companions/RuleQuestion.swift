import FileProviderRules
import UniformTypeIdentifiers

/// What a whole rule is asked about.
struct RuleQuestion: PredicateObject {
    var values: [String: PredicateValue]

    func value(for key: String) -> PredicateValue? {
        values[key]
    }

    func type(_ identifier: String, conformsTo other: String) -> Bool {
        if ItemType.conforms(identifier, to: other) { return true }
        // What is declared, or spells what it is, has said all that there is.
        guard UTType(identifier) == nil else { return false }
        return values.values.contains { Self.says($0, identifier, conformsTo: other) }
    }

    /// Whether an item that is asked about has a type that only its extension knows.
    private static func says(
        _ value: PredicateValue, _ identifier: String, conformsTo other: String
    ) -> Bool {
        switch value {
        case .object(let item as RuleItem): item.type(identifier, conformsTo: other)
        case .list(let values): values.contains { says($0, identifier, conformsTo: other) }
        default: false
        }
    }
}
