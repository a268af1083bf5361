import Foundation

/// Lists the sets of a domain that nobody hosts: there is only an error to tell.
final class NoSystemEnumerator: NSObject, NSFileProviderPendingSetEnumerator {
    var domainVersion: NSFileProviderDomainVersion? { nil }
    var refreshInterval: TimeInterval { 0 }
    var isMaximumSizeReached: Bool { false }

    func invalidate() {}

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        observer.finishEnumeratingWithError(NSFileProviderError(.providerDomainNotFound))
    }

    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        observer.finishEnumeratingWithError(NSFileProviderError(.providerDomainNotFound))
    }
}
