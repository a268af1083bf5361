import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Synchronization

/// Lists a folder, or the trash. A page's name is the server's cursor: it outlives this instance.
final class FolderEnumerator: NSObject, NSFileProviderEnumerator, Sendable {
    private let folder: String
    private let session: ProviderSession
    private let calls: CallRegistry
    /// Whether it is a document that somebody looks at.
    private let isDocument = Mutex(false)

    init(_ container: NSFileProviderItemIdentifier, session: ProviderSession) {
        folder = container.serverID
        self.session = session
        calls = CallRegistry(world: session.world)
    }

    func invalidate() {
        calls.close()
    }

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        let start = PageStart(page)
        let size: Int = observer.suggestedPageSize ?? 0
        _ = calls.begin { _ in
            try await self.page(start, size)
        } finish: { result in
            switch result {
            case .success(let (items, next)):
                observer.didEnumerate(items)
                observer.finishEnumerating(upTo: next)
            case .failure(let error): observer.finishEnumeratingWithError(error)
            }
        }
    }

    private func showLock() {
        let isFirst = isDocument.withLock { isDocument in
            defer { isDocument = true }
            return !isDocument
        }
        guard isFirst else { return }
        let lock = DocumentLock(folder, session: session)
        calls.spawn { await lock.hold() }
    }

    private func page(
        _ start: PageStart, _ suggestedSize: Int
    ) async throws -> ([BasketItem], NSFileProviderPage?) {
        let facts = try await session.facts()
        guard folder != "trash" || facts.hasTrash else { throw ProviderFailure.noTrash }
        let isByDate = start.isByDate
        let found: ChildrenPage
        do {
            found = try await session.about(NSFileProviderItemIdentifier(server: folder)) {
                try await session.call { connection, domain in
                    try await connection.children(
                        of: folder, in: domain, sort: isByDate ? .modified : .name,
                        descending: isByDate, limit: PageStart.limit(suggestedSize),
                        cursor: start.token)
                }
            }
        } catch ProviderFailure.noSuchItem(.trashContainer) {
            throw ProviderFailure.noTrash
        } catch let error as ConnectionError where error.code == "not_a_folder" {
            // Somebody looks at a document. There is nothing in it, but others see that it is open.
            showLock()
            return ([], nil)
        }
        session.listings.note(found.items)
        session.listings.note(all: folder)
        let items = found.items.map {
            BasketItem($0, facts: facts, marks: session.device.marks(of: $0.id))
        }
        return (items, try found.next.map { try start.next($0) })
    }
}
