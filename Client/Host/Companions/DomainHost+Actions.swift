import FileProvider
import FileProviderReplica
import FileProviderRules
import Foundation

// What people can have the extension do.
extension DomainHost {
    /// The actions that are offered for items, as a menu shows them.
    package func actions(for items: [NodeID]) throws -> [DeclaredAction] {
        guard !declaration.actions.isEmpty, !items.isEmpty else { return [] }
        let known = try replica.read { reader in try items.compactMap { try reader.ruleItem($0) } }
        guard known.count == items.count else { return [] }
        let question = RuleQuestion(values: [
            "fileproviderItems": .list(known.map { .object($0) }),
            "domainUserInfo": domainUserInfo,
        ])
        return declaration.actions.filter { $0.rule.holds(for: question) }
    }

    /// Has the extension do something with items, if that is offered for them; once, as far as it has begun.
    ///
    /// - Throws: `CocoaError.featureUnsupported` for what is not offered.
    package func perform(
        _ action: NSFileProviderExtensionActionIdentifier, on items: [NodeID]
    ) async throws {
        try await waitForNames(of: items)
        try await calls.onceSettled {
            guard try actions(for: items).contains(where: { $0.identifier == action }) else {
                throw CocoaError(.featureUnsupported)
            }
            let identifiers = try replica.read { reader in
                try items.compactMap { try reader.node($0)?.identifier }
            }
            try await calls.perform(action, on: identifiers)
        }
    }

    /// What rules may ask about the domain.
    var domainUserInfo: PredicateValue {
        guard let state = calls.provider as? any NSFileProviderDomainState else { return .null }
        var values: [String: PredicateValue] = [:]
        for (key, value) in state.userInfo {
            guard let key = key.base as? String else { continue }
            values[key] =
                (value as? PersonNameComponents).map { .object(PersonFacts($0)) }
                ?? DomainUserInfo.Value(value).flatMap(FactValue.init)?.value
        }
        return .object(values)
    }
}
