/// What is wrong with a rule.
package enum RuleProblem: Equatable, Sendable {
    case empty
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    case unexpectedCharacter(String)
    case openString
    case unknownEscape(String)
    case badNumber(String)
    case placeholder
    case badKey
    case valueExpected(found: String)
    case operatorExpected(found: String)
    case conditionExpected
    case conditionAsValue
    case expected(String, found: String)
    case connectiveExpected(found: String)
    case unknownTextOption(String)
    case noTextOptions
    case unknownVariable(String)
    case twoBoundsExpected
    case notTaken(String)
    case badPattern(RegexFlaw)

    package var code: String {
        switch self {
        case .empty: "rule_empty"
        case .tooLong: "rule_too_long"
        case .tooDeep: "rule_too_deep"
        case .unexpectedCharacter: "rule_unexpected_character"
        case .openString: "rule_open_string"
        case .unknownEscape: "rule_unknown_escape"
        case .badNumber: "rule_bad_number"
        case .placeholder: "rule_placeholder"
        case .badKey: "rule_bad_key"
        case .valueExpected: "rule_value_expected"
        case .operatorExpected: "rule_operator_expected"
        case .conditionExpected: "rule_condition_expected"
        case .conditionAsValue: "rule_condition_as_value"
        case .expected: "rule_sign_expected"
        case .connectiveExpected: "rule_connective_expected"
        case .unknownTextOption: "rule_unknown_text_option"
        case .noTextOptions: "rule_no_text_options"
        case .unknownVariable: "rule_unknown_variable"
        case .twoBoundsExpected: "rule_two_bounds_expected"
        case .notTaken: "rule_not_taken"
        case .badPattern: "rule_bad_pattern"
        }
    }

    package var message: String {
        switch self {
        case .empty: "there is no rule. TRUEPREDICATE always holds."
        case .tooLong(let limit): "a rule is no longer than \(limit) bytes. Divide it."
        case .tooDeep(let limit):
            "parentheses, NOT and SUBQUERY stand no more than \(limit) deep in one another."
        case .unexpectedCharacter(let sign): "'\(sign)' means nothing in a rule."
        case .openString: "the text that begins here is not closed."
        case .unknownEscape(let sign):
            "'\\\(sign)' is no escape. Write '\\\\' where a pattern is to see a backslash."
        case .badNumber(let text): "'\(text)' is no number."
        case .placeholder: "nothing is put in for '%'. Write the value itself."
        case .badKey: "a key is expected: a word, '#' and a word, or a text in quotes."
        case .valueExpected(let found): "a value is expected, and here is \(found)."
        case .operatorExpected(let found):
            "an operator such as == or CONTAINS is expected, and here is \(found)."
        case .conditionExpected: "a value by itself is no condition. Compare it: 'isShared == YES'."
        case .conditionAsValue: "a condition stands where a value is expected."
        case .expected(let sign, let found): "'\(sign)' is expected, and here is \(found)."
        case .connectiveExpected(let found):
            "AND, OR or the end is expected after a condition, and here is \(found)."
        case .unknownTextOption(let option):
            "'[\(option)]' is not taken. There are [c] for case, [d] for accents, and [cd]."
        case .noTextOptions: "this operator compares no texts, and takes no [c] or [d]."
        case .unknownVariable(let name):
            "there is no variable $\(name) here. SUBQUERY names one; keys are written without $."
        case .twoBoundsExpected: "BETWEEN takes two bounds: {1, 5}."
        case .notTaken(let what): "\(what) is not taken."
        case .badPattern(let flaw): "the pattern is not taken: \(flaw.message)"
        }
    }
}
