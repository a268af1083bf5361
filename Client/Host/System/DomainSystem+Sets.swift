import FileProvider
import FileProviderReplica
import Foundation

// What a domain's manager is told of what is here and under way.
extension DomainSystem {
    package func globalProgress(
        for kind: Progress.FileOperationKind, in domain: NSFileProviderDomainIdentifier
    ) -> Progress {
        host?.globalProgress(for: kind) ?? GlobalProgress(kind).progress
    }

    package func register(
        _ progress: Progress, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        ask(completionHandler) { try $0.register(progress, for: self.node(item, $0)) }
    }

    package func enumeratorForMaterializedItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderEnumerator {
        ItemSetEnumerator(.materialised, of: host)
    }

    package func enumeratorForPendingItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderPendingSetEnumerator {
        ItemSetEnumerator(.pending, of: host)
    }
}
