import FileProviderRules

/// What a whole rule is asked about.
struct RuleQuestion: PredicateObject {
    var values: [String: PredicateValue]

    func value(for key: String) -> PredicateValue? {
        values[key]
    }

    func type(_ identifier: String, conformsTo other: String) -> Bool {
        ItemType.conforms(identifier, to: other)
    }
}
