import FileProvider

/// A server of pages, in memory: it answers on a queue of its own, as a network library does.
final class Notebook {
    static let shared = Notebook()

    private let queue = DispatchQueue(label: "notebook")
    private var pages: [String: Page] = [:]
    private var deletions: [(identifier: String, change: Int)] = []
    private var change = 0

    func call<T>(_ work: @escaping (Notebook) throws -> T) -> NotebookCall<T> {
        return NotebookCall(queue: queue, work: { try work(self) })
    }

    func page(_ identifier: String) throws -> Page {
        if identifier == NSFileProviderItemIdentifier.rootContainer.rawValue {
            return Page(
                identifier: identifier, parent: identifier, name: "Notebook", isSection: true,
                text: Data(),
                contentRevision: 1, metadataRevision: 1, tags: nil, modified: .distantPast,
                change: 0)
        }
        guard let page = pages[identifier] else {
            throw NSError.fileProviderErrorForNonExistentItem(
                withIdentifier: NSFileProviderItemIdentifier(identifier))
        }
        return page
    }

    func children(of parent: String) -> [Page] {
        pages.values.filter { $0.parent == parent }.sorted { $0.name < $1.name }
    }

    func insert(_ page: Page) throws -> Page {
        if let other = children(of: page.parent).first(where: {
            $0.name.lowercased() == page.name.lowercased()
        }) {
            throw NSError.fileProviderErrorForCollision(with: NotebookItem(other))
        }
        return store(page)
    }

    func store(_ page: Page) -> Page {
        var page = page
        change += 1
        page.change = change
        pages[page.identifier] = page
        return page
    }

    func delete(_ identifier: String, recursive: Bool) throws {
        let below = children(of: identifier)
        if !below.isEmpty && !recursive {
            throw NSFileProviderError(.directoryNotEmpty)
        }
        for page in below { try delete(page.identifier, recursive: true) }
        guard pages.removeValue(forKey: identifier) != nil else { return }
        change += 1
        deletions.append((identifier, change))
    }

    var newest: Int { change }

    func changes(since anchor: Int) -> (updated: [Page], deleted: [String]) {
        (
            pages.values.filter { $0.change > anchor }.sorted { $0.change < $1.change },
            deletions.filter { $0.change > anchor }.map { $0.identifier }
        )
    }
}
