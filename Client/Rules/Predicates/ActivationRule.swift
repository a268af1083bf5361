/// A condition in the language of `NSPredicate`, as extensions declare it for their actions and for
/// what people are asked before they do something. It is read once, and then asked often.
///
/// `docs/rules.md` says what of the language is taken. Reading takes the time of the text's length,
/// and asking is cut off after a number of steps, whatever the rule and the items are.
package struct ActivationRule: Sendable {
    package let text: String
    private let condition: PredicateNode

    package init(_ text: String) throws(RuleError) {
        condition = try PredicateParser.parse(text)
        self.text = text
    }

    /// Whether the rule is fulfilled. One that needs too many steps is not, whatever it negates: a
    /// menu must not hang because of it.
    package func holds(for object: some PredicateObject) -> Bool {
        var evaluation = PredicateEvaluation(root: object)
        do {
            return try evaluation.holds(condition)
        } catch {
            return false
        }
    }
}
