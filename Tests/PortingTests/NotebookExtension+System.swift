import FileProvider

extension NotebookExtension: NSFileProviderCustomAction, NSFileProviderDomainState,
    NSFileProviderUserInteractionSuppressing
{
    var domainVersion: NSFileProviderDomainVersion {
        return version
    }

    var userInfo: [AnyHashable: Any] {
        return ["pages": Notebook.shared.newest]
    }

    func performAction(
        identifier actionIdentifier: NSFileProviderExtensionActionIdentifier,
        onItemsWithIdentifiers itemIdentifiers: [NSFileProviderItemIdentifier],
        completionHandler: @escaping (Error?) -> Void
    ) -> Progress {
        switch actionIdentifier {
        case NSFileProviderExtensionActionIdentifier("org.example.notebook.lock"):
            version = version.next()
            completionHandler(nil)
        default:
            completionHandler(
                NSError(domain: NSCocoaErrorDomain, code: NSFeatureUnsupportedError, userInfo: [:]))
        }
        return Progress()
    }

    func setInteractionSuppressed(_ suppression: Bool, forIdentifier suppressionIdentifier: String)
    {
        if suppression {
            suppressed.insert(suppressionIdentifier)
        } else {
            suppressed.remove(suppressionIdentifier)
        }
    }

    func isInteractionSuppressed(forIdentifier suppressionIdentifier: String) -> Bool {
        return suppressed.contains(suppressionIdentifier)
    }
}
