import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// Keeps files in memory, and answers from other threads than those that ask. Nobody else changes anything on it.
final class ShelfExtension: NSObject, NSFileProviderReplicatedExtension, CompleteWorkingSet,
    Sendable
{
    private let folder: String
    private let files = Mutex<[NSFileProviderItemIdentifier: ShelfItem]>([:])
    private let changed = Mutex(0)
    private let made = Mutex(0)

    /// - Parameter folder: for files that are handed over.
    init(folder: String) {
        self.folder = folder
    }

    required init(domain: NSFileProviderDomain) {
        folder = FileManager.default.temporaryDirectory.path
    }

    var all: [ShelfItem] { files.withLock { Array($0.values) } }

    /// How many files have changed while they were being read, though they were handed over.
    var changedOnTheWay: Int { changed.withLock { $0 } }

    func invalidate() {}

    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator { NothingNew() }

    private func answer(_ body: @escaping @Sendable () async -> Void) -> Progress {
        Task { await body() }
        return Progress()
    }

    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable ((any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        answer {
            let item = self.files.withLock { $0[identifier] }
            completionHandler(item, item == nil ? NSFileProviderError(.noSuchItem) : nil)
        }
    }

    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        answer {
            guard let item = self.files.withLock({ $0[itemIdentifier] }) else {
                return completionHandler(nil, nil, NSFileProviderError(.noSuchItem))
            }
            let url = URL(fileURLWithPath: self.folder + "/" + UUID().uuidString)
            do {
                try item.bytes.write(to: url)
                completionHandler(url, item, nil)
            } catch {
                completionHandler(nil, nil, error)
            }
        }
    }

    func createItem(
        basedOn itemTemplate: any NSFileProviderItemProtocol, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions,
        request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let name = itemTemplate.filename
        return answer {
            let bytes = await self.bytes(url)
            // Two of one name that are made at once are two, whichever comes last.
            let number = self.made.withLock { made in
                made += 1
                return made
            }
            let item = ShelfItem(
                NSFileProviderItemIdentifier("shelf \(number)"), name, bytes, version: 1)
            self.files.withLock { $0[item.itemIdentifier] = item }
            completionHandler(item, [], false, nil)
        }
    }

    func modifyItem(
        _ item: any NSFileProviderItemProtocol, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let (identifier, name) = (item.itemIdentifier, item.filename)
        return answer {
            let bytes = newContents == nil ? nil : await self.bytes(newContents)
            let changed = self.files.withLock { files -> ShelfItem? in
                guard let known = files[identifier] else { return nil }
                let item = ShelfItem(
                    identifier, name, bytes ?? known.bytes, version: known.version + 1)
                files[identifier] = item
                return item
            }
            completionHandler(
                changed, [], false, changed == nil ? NSFileProviderError(.noSuchItem) : nil)
        }
    }

    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        answer {
            self.files.withLock { _ = $0.removeValue(forKey: identifier) }
            completionHandler(nil)
        }
    }

    /// Takes its time, and looks again.
    private func bytes(_ url: URL?) async -> Data {
        guard let url, let bytes = try? Data(contentsOf: url) else { return Data() }
        for _ in 0..<5000 { await Task.yield() }
        if (try? Data(contentsOf: url)) != bytes { changed.withLock { $0 += 1 } }
        return bytes
    }
}

/// Tells nothing, and that again and again.
private final class NothingNew: NSObject, NSFileProviderEnumerator {
    func invalidate() {}

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        observer.finishEnumerating(upTo: nil)
    }

    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        observer.finishEnumeratingChanges(upTo: syncAnchor, moreComing: false)
    }

    func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        completionHandler(NSFileProviderSyncAnchor(Data([1])))
    }
}
