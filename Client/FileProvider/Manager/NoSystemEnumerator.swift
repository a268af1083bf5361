import Foundation

/// Lists the sets of a domain that nobody hosts: there is only an error to tell.
package final class NoSystemEnumerator: NSObject, NSFileProviderPendingSetEnumerator {
    package override init() {}

    package var domainVersion: NSFileProviderDomainVersion? { nil }
    package var refreshInterval: TimeInterval { 0 }
    package var isMaximumSizeReached: Bool { false }

    package func invalidate() {}

    package func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        observer.finishEnumeratingWithError(NSFileProviderError(.providerDomainNotFound))
    }

    package func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        observer.finishEnumeratingWithError(NSFileProviderError(.providerDomainNotFound))
    }
}
