import FileProvider
import Foundation

/// An enumerator that never changes.
final class MinimalEnumerator: NSObject, NSFileProviderEnumerator {
    func invalidate() {}

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        let isFirst =
            page == NSFileProviderPage.initialPageSortedByName as NSFileProviderPage
            || page == NSFileProviderPage.initialPageSortedByDate as NSFileProviderPage
        let size = observer.suggestedPageSize ?? 1
        // From another task, as extensions do.
        Task {
            observer.didEnumerate(isFirst ? [MinimalItem(.init("\(size)"))] : [])
            observer.finishEnumerating(upTo: nil)
        }
    }
}
