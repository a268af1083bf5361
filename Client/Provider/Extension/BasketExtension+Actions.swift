import FileProvider
import Foundation

extension BasketExtension: NSFileProviderCustomAction {
    package func performAction(
        identifier actionIdentifier: NSFileProviderExtensionActionIdentifier,
        onItemsWithIdentifiers itemIdentifiers: [NSFileProviderItemIdentifier],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        begin { parts, _ in
            guard let action = ItemAction(actionIdentifier) else {
                throw ProviderFailure.unsupported(
                    "There is no action “\(actionIdentifier.rawValue)”.")
            }
            try await parts.actions.perform(action, on: itemIdentifiers.map(\.serverID))
        } finish: {
            completionHandler($0.failure)
        }
    }
}
