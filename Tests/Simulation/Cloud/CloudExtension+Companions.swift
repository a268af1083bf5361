import FileProvider
import Foundation
import Synchronization

extension CloudExtension: NSFileProviderDomainState {
    var domainVersion: NSFileProviderDomainVersion { network.companion.version }
    var userInfo: [AnyHashable: Any] { ["mayOpen": network.companion.mayOpen] }
}

extension CloudExtension: NSFileProviderUserInteractionSuppressing {
    func setInteractionSuppressed(
        _ suppression: Bool, forIdentifier suppressionIdentifier: String
    ) {
        if suppression {
            network.companion.suppressed.insert(suppressionIdentifier)
        } else {
            network.companion.suppressed.remove(suppressionIdentifier)
        }
    }

    func isInteractionSuppressed(forIdentifier suppressionIdentifier: String) -> Bool {
        network.companion.suppressed.contains(suppressionIdentifier)
    }
}

extension CloudExtension: NSFileProviderCustomAction {
    func performAction(
        identifier actionIdentifier: NSFileProviderExtensionActionIdentifier,
        onItemsWithIdentifiers itemIdentifiers: [NSFileProviderItemIdentifier],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        let names = itemIdentifiers.map(\.rawValue).joined(separator: " ")
        return exchange {
            self.network.companion.actions.append("\(actionIdentifier.rawValue) \(names)")
        } _: { (result: Result<Void, any Error>) in
            switch result {
            case .success: completionHandler(nil)
            case .failure(let error): completionHandler(error)
            }
        }
    }
}

extension CloudExtension: NSFileProviderThumbnailing {
    /// A picture of an item is its text; of one that is called so, there is none, or an error.
    func fetchThumbnails(
        for itemIdentifiers: [NSFileProviderItemIdentifier], requestedSize size: CGSize,
        perThumbnailCompletionHandler:
            @escaping @Sendable (NSFileProviderItemIdentifier, Data?, (any Error)?) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        network.companion.pictures.append(itemIdentifiers.map(\.rawValue))
        return exchange {
            for identifier in itemIdentifiers {
                let item = self.cloud.state.withLock { $0.items[identifier.rawValue] }
                guard let item, item.name != "broken" else {
                    perThumbnailCompletionHandler(
                        identifier, nil, CocoaError(.fileReadCorruptFile))
                    continue
                }
                let picture = item.name == "plain" ? nil : Data(item.content.utf8)
                perThumbnailCompletionHandler(identifier, picture, nil)
            }
        } _: { (result: Result<Void, any Error>) in
            switch result {
            case .success: completionHandler(nil)
            case .failure(let error): completionHandler(error)
            }
        }
    }
}

extension CloudExtension: NSFileProviderServicing {
    func supportedServiceSources(
        for itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler:
            @escaping @Sendable ([any NSFileProviderServiceSource]?, (any Error)?) -> Void
    ) -> Progress {
        exchange {
        } _: { (result: Result<Void, any Error>) in
            switch result {
            case .success:
                let sources = [
                    CloudService(name: "cloud.open", item: itemIdentifier, isRestricted: false),
                    CloudService(name: "cloud.manage", item: itemIdentifier, isRestricted: true),
                ]
                completionHandler(sources, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }
}
