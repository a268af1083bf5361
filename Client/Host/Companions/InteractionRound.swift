import FileProviderReplica
import FileProviderRules

/// Goes through what an extension declares to be asked before an action.
struct InteractionRound {
    let action: UserAction
    let destination: PredicateValue?
    let domainUserInfo: PredicateValue
    let isSuppressed: (String) -> Bool

    /// What is asked; nil when nothing is.
    /// - Parameter items: those that it is about; a single nil for what comes from elsewhere.
    func alert(
        among interactions: [DeclaredInteraction], about items: [(any PredicateObject)?], count: Int
    ) -> InteractionAlert? {
        for interaction in interactions {
            if let suppression = interaction.suppression, isSuppressed(suppression) { continue }
            let matching = items.filter { interaction.rule.holds(for: question($0, count)) }
            guard !matching.isEmpty else { continue }
            // What comes from elsewhere is counted, though nobody knows it one by one.
            let matched = items.contains { $0 == nil } ? count : matching.count
            if let found = alert(among: interaction.parts, about: matching, count: matched) {
                return found
            }
            if let alert = interaction.alert {
                return shown(alert, interaction, matching.compactMap(\.self), matched)
            }
        }
        return nil
    }

    private func question(_ source: (any PredicateObject)?, _ count: Int) -> RuleQuestion {
        var values: [String: PredicateValue] = [
            "action": .string(action.kind.rawValue), "sourceItemsCount": .integer(Int64(count)),
            "domainUserInfo": domainUserInfo,
        ]
        values["sourceItem"] = source.map { .object($0) }
        values["destinationItem"] = destination
        return RuleQuestion(values: values)
    }

    private func shown(
        _ alert: DeclaredAlert, _ interaction: DeclaredInteraction, _ items: [any PredicateObject],
        _ count: Int
    ) -> InteractionAlert {
        var values: [String: PredicateValue] = [
            "matchingItemsCount": .integer(Int64(count)),
            "matchingItemsCountMinusOne": .integer(Int64(count - 1)),
            "matchingItemsCountMinusTwo": .integer(Int64(count - 2)),
            "domainUserInfo": domainUserInfo,
        ]
        values["destinationItem"] = destination
        values["firstMatchingItem"] = items.first.map { .object($0) }
        values["secondMatchingItem"] = items.dropFirst().first.map { .object($0) }
        let question = RuleQuestion(values: values)
        return InteractionAlert(
            title: alert.title.text(for: question), subtitle: alert.subtitle?.text(for: question),
            continueLabel: alert.continueLabel, cancelLabel: alert.cancelLabel,
            canContinue: alert.canContinue, isDestructive: alert.isDestructive,
            help: interaction.help, suppression: interaction.suppression)
    }
}
