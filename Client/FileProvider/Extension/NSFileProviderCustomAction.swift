import Foundation

/// An extension with actions of its own, which `Info.plist` declares.
public protocol NSFileProviderCustomAction: NSObjectProtocol {
    func performAction(
        identifier actionIdentifier: NSFileProviderExtensionActionIdentifier,
        onItemsWithIdentifiers itemIdentifiers: [NSFileProviderItemIdentifier],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress
}
