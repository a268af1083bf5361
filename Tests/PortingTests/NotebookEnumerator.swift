import FileProvider

class NotebookEnumerator: NSObject, NSFileProviderEnumerator {
    private let container: NSFileProviderItemIdentifier

    init(container: NSFileProviderItemIdentifier) {
        self.container = container
    }

    func invalidate() {
    }

    func enumerateItems(
        for observer: NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        let start: Int
        if page == NSFileProviderPage.initialPageSortedByName as NSFileProviderPage
            || page == NSFileProviderPage.initialPageSortedByDate as NSFileProviderPage
        {
            start = 0
        } else if let offset = String(data: page.rawValue, encoding: .utf8).flatMap({ Int($0) }) {
            start = offset
        } else {
            observer.finishEnumeratingWithError(NSFileProviderError(.pageExpired))
            return
        }
        let size = observer.suggestedPageSize ?? 100
        let name = container.rawValue
        Notebook.shared.call { $0.children(of: name) }.answer { result in
            switch result {
            case .success(let pages):
                let end = min(start + size, pages.count)
                observer.didEnumerate(pages[start..<end].map { NotebookItem($0) })
                let next = NSFileProviderPage("\(end)".data(using: .utf8)!)
                observer.finishEnumerating(upTo: end < pages.count ? next : nil)
            case .failure(let error):
                observer.finishEnumeratingWithError(error)
            }
        }
    }

    func enumerateChanges(
        for observer: NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        guard let anchor = String(data: syncAnchor.rawValue, encoding: .utf8).flatMap({ Int($0) })
        else {
            observer.finishEnumeratingWithError(NSFileProviderError(.syncAnchorExpired))
            return
        }
        Notebook.shared.call { ($0.changes(since: anchor), $0.newest) }.answer { result in
            guard case .success(let (changes, newest)) = result else { return }
            observer.didDeleteItems(
                withIdentifiers: changes.deleted.map { NSFileProviderItemIdentifier($0) })
            observer.didUpdate(changes.updated.map { NotebookItem($0) })
            observer.finishEnumeratingChanges(
                upTo: NSFileProviderSyncAnchor("\(newest)".data(using: .utf8)!), moreComing: false)
        }
    }

    func currentSyncAnchor(completionHandler: @escaping (NSFileProviderSyncAnchor?) -> Void) {
        Notebook.shared.call { $0.newest }.answer { result in
            let newest = (try? result.get()) ?? 0
            completionHandler(NSFileProviderSyncAnchor("\(newest)".data(using: .utf8)!))
        }
    }
}
