/// What a rule is asked about, and each thing that it meets on the way: it answers for its keys,
/// one at a time and only for those that the rule names.
package protocol PredicateObject {
    /// Nil, which rules see as null, for a key that the object lacks.
    func value(for key: String) -> PredicateValue?

    /// For `UTI-CONFORMS-TO`; only the object that the whole rule is about is asked.
    func type(_ identifier: String, conformsTo other: String) -> Bool
}

extension PredicateObject {
    package func type(_ identifier: String, conformsTo other: String) -> Bool {
        identifier == other
    }
}

extension [String: PredicateValue]: PredicateObject {
    package func value(for key: String) -> PredicateValue? {
        self[key]
    }
}
