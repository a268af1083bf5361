import FileProvider
import Foundation
import Synchronization
import UniformTypeIdentifiers

/// Finds the items of the cloud whose name has the words in it, three at a time.
final class CloudSearch: NSObject, NSFileProviderSearchEnumerator, Sendable {
    private struct Result: NSFileProviderSearchResult {
        let item: CloudItem
        let isNameless: Bool

        var itemIdentifier: NSFileProviderItemIdentifier {
            isNameless ? NSFileProviderItemIdentifier(rawValue: "") : item.itemIdentifier
        }
        var filename: String { item.filename }
        var creationDate: Date? { nil }
        var contentModificationDate: Date? { nil }
        var lastUsedDate: Date? { nil }
        var contentType: UTType { item.contentType }
        var documentSize: NSNumber? { item.documentSize }
    }

    private static let page = 3

    private let device: CloudExtension
    private let words: String

    init(_ device: CloudExtension, words: String) {
        self.device = device
        self.words = words
    }

    func invalidate() {
        device.network.companion.searches.append("over")
    }

    func enumerateSearchResults(
        for observer: any NSFileProviderSearchEnumerationObserver,
        startingAt page: NSFileProviderPage?
    ) {
        let start = page.map { String(decoding: $0.rawValue, as: UTF8.self) }
        let most = observer.maximumNumberOfResultsPerPage
        device.network.companion.searches.append("\(words) \(start ?? "first") \(most)")
        let isUnbounded = device.network.companion.searchesWithoutEnd
        device.answer {
            if start != nil { try self.device.network.requirePage() }
            let found = self.device.cloud.state.withLock { state in
                state.items.values.filter { $0.name.contains(self.words) }
                    .sorted { $0.number < $1.number }
            }
            let first = start.flatMap { Int($0) } ?? 0
            let count = isUnbounded ? found.count : min(Self.page, most)
            let part = found.dropFirst(first).prefix(count)
            let nameless = self.device.network.companion.namelessResults
            observer.didEnumerate(
                part.map {
                    Result(item: CloudItem($0), isNameless: nameless.contains($0.name))
                })
            // The last of a page is found once more.
            let next = max(first + 1, first + part.count - 1)
            observer.finishEnumerating(
                upTo: part.count < count || first + part.count >= found.count
                    ? nil : NSFileProviderPage(Data("\(next)".utf8)))
        } failed: {
            observer.finishEnumeratingWithError($0)
        }
    }
}

extension CloudExtension: NSFileProviderSearching {
    func searchEnumerator(
        for request: NSFileProviderStringSearchRequest
    ) -> any NSFileProviderSearchEnumerator {
        CloudSearch(self, words: request.query)
    }
}
