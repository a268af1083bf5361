import FileProvider

/// Hears of two items a page, and hands their names on at the end.
final class PageObserver: NSObject, NSFileProviderEnumerationObserver, NSFileProviderChangeObserver,
    @unchecked Sendable
{
    // Unchecked: an enumeration tells one thing after another.
    private var names: [String] = []
    private let finish: ([String], NSFileProviderPage?) -> Void
    let suggestedPageSize = 2

    init(finish: @escaping ([String], NSFileProviderPage?) -> Void) {
        self.finish = finish
    }

    func didEnumerate(_ updatedItems: [NSFileProviderItem]) {
        names += updatedItems.map { $0.filename }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        finish(names, nextPage)
    }

    func didUpdate(_ updatedItems: [NSFileProviderItem]) {
        names += updatedItems.map { $0.filename }
    }

    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier]) {}

    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool) {
        finish(names, nil)
    }

    func finishEnumeratingWithError(_ error: Error) {
        finish(["\(error)"], nil)
    }
}
