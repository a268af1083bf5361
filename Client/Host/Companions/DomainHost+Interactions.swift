import FileProvider
import FileProviderReplica
import FileProviderRules
import Foundation

// What people are asked before they do something.
extension DomainHost {
    /// What a person is asked before an action, by the rules that the extension declares; nil when nothing is.
    package func alert(before action: UserAction) throws -> InteractionAlert? {
        guard !declaration.interactions.isEmpty else { return nil }
        let (sources, folder) = try replica.read { reader in
            (
                try action.sources.compactMap { try reader.ruleItem($0) },
                try action.destination.flatMap { try reader.ruleItem($0) }
            )
        }
        let name: [String: PredicateValue]? = action.newName.map { ["filename": .string($0)] }
        var items: [(any PredicateObject)?] = sources
        var destination: PredicateValue? = folder.map { .object($0) }
        switch action.kind {
        case .create: items = [name]
        case .rename: destination = name.map { .object($0) }
        default: break
        }
        if items.isEmpty { items = [nil] }
        let round = InteractionRound(
            action: action, destination: destination, domainUserInfo: domainUserInfo,
            isSuppressed: { self.isSuppressed($0) })
        return round.alert(
            among: declaration.interactions, about: items, count: action.sourceCount)
    }

    /// A person does not want to be asked that again, or does.
    package func suppress(_ suppression: String, _ isSuppressed: Bool = true) {
        suppressing?.setInteractionSuppressed(isSuppressed, forIdentifier: suppression)
    }

    package func isSuppressed(_ suppression: String) -> Bool {
        suppressing?.isInteractionSuppressed(forIdentifier: suppression) ?? false
    }

    private var suppressing: (any NSFileProviderUserInteractionSuppressing)? {
        calls.provider as? any NSFileProviderUserInteractionSuppressing
    }
}
