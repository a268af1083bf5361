import FileProvider
import Testing
import UniformTypeIdentifiers

/// The notebook is written as on macOS: it imports FileProvider alone, its language is Swift 5, its handlers
/// are plain `@escaping`, and nothing in it knows of Linux. That it compiles is half of the test.
@Suite("An extension from macOS")
struct PortedExtensionTests {
    private let provider: NSFileProviderReplicatedExtension = NotebookExtension(
        domain: NSFileProviderDomain(identifier: .init("notebook"), displayName: "Notebook"))
    private let request = NSFileProviderRequest()

    @Test("creates, changes and deletes what the system hands it")
    func walk() async throws {
        let section = try await create("Section", .folder, in: .rootContainer)
        let page = try await create("a.md", .plainText, in: section.itemIdentifier, text: "one")
        #expect(page.documentSize == NSNumber(value: 3))
        #expect(page.capabilities?.contains(.allowsWriting) == true)
        #expect(page.decorations == nil)

        let (changed, fetch) = try await modify(page, base: page.itemVersion, text: "two!")
        #expect(changed.documentSize == NSNumber(value: 4))
        #expect(changed.itemVersion != page.itemVersion)
        #expect(!fetch)
        let (theirs, refetch) = try await modify(page, base: page.itemVersion, text: "stale")
        #expect(theirs.itemVersion == changed.itemVersion)
        #expect(refetch)

        #expect(try await content(of: page.itemIdentifier) == "two!")
        #expect(try await names(in: section.itemIdentifier) == ["a.md"])
        await #expect(throws: NSFileProviderError(.directoryNotEmpty)) {
            try await delete(section.itemIdentifier, [])
        }
        try await delete(section.itemIdentifier, .recursive)
        let gone = await error { _ = try await name(of: section.itemIdentifier) }
        #expect(gone.code == NSFileProviderError.noSuchItem.rawValue)
    }

    @Test("says what stands in the way, as the system reads it")
    func refusals() async throws {
        let section = try await create("Refusals", .folder, in: .rootContainer)
        let page = try await create("a.md", .plainText, in: section.itemIdentifier, text: "")
        let collision = await error {
            _ = try await create("A.md", .plainText, in: section.itemIdentifier, text: "")
        }
        #expect(NSFileProviderError(bridging: collision)?.code == .filenameCollision)
        let holder = collision.userInfo[NSFileProviderErrorItemKey] as? NSFileProviderItem
        #expect(holder?.itemIdentifier == page.itemIdentifier)

        let link = await error {
            _ = try await create("link", .symbolicLink, in: section.itemIdentifier)
        }
        #expect(NSFileProviderError(bridging: link)?.code == .excludedFromSync)
        let trash = await error {
            _ = try provider.enumerator(for: .trashContainer, request: request)
        }
        #expect(trash.domain == NSCocoaErrorDomain)
        #expect(trash.code == CocoaError.featureUnsupported.rawValue)
    }

    @Test("lists in pages, and tells what changed since an anchor")
    func enumeration() async throws {
        let section = try await create("Pages", .folder, in: .rootContainer)
        let enumerator = try provider.enumerator(for: section.itemIdentifier, request: request)
        let before = try #require(await enumerator.currentSyncAnchor())
        for name in ["b", "a", "c"] {
            _ = try await create(name, .plainText, in: section.itemIdentifier, text: name)
        }
        let first = NSFileProviderPage.initialPageSortedByName as NSFileProviderPage
        let (names, next) = await page(of: enumerator, at: first)
        #expect(names == ["a", "b"])
        let (rest, end) = await page(of: enumerator, at: try #require(next))
        #expect(rest == ["c"])
        #expect(end == nil)
        let changed = await withCheckedContinuation { done in
            enumerator.enumerateChanges(
                for: PageObserver { names, _ in done.resume(returning: names) }, from: before)
        }
        #expect(Set(changed).isSuperset(of: ["a", "b", "c"]))
    }

    @Test("answers the protocols that it adopts beside the first one")
    func others() async throws {
        let page = try await create("Range.md", .plainText, in: .rootContainer, text: "0123456789")
        let partial = try #require(provider as? NSFileProviderPartialContentFetching)
        let (text, range) = await withCheckedContinuation { done in
            _ = partial.fetchPartialContents(
                for: page.itemIdentifier, version: page.itemVersion, request: request,
                minimalRange: NSRange(location: 5, length: 2), aligningTo: 4,
                options: .strictVersioning
            ) { url, _, range, _, _ in
                let bytes = url.flatMap { try? Data(contentsOf: $0) }?.dropFirst(range.location)
                done.resume(returning: (bytes.map { String(decoding: $0, as: UTF8.self) }, range))
            }
        }
        #expect(text == "4567")
        #expect(range == NSRange(location: 4, length: 4))

        let state = try #require(provider as? NSFileProviderDomainState)
        let version = state.domainVersion
        let acting = try #require(provider as? NSFileProviderCustomAction)
        _ = acting.performAction(
            identifier: .init("org.example.notebook.lock"),
            onItemsWithIdentifiers: [page.itemIdentifier]
        ) { #expect($0 == nil) }
        #expect(version < state.domainVersion)

        let alerts = try #require(provider as? NSFileProviderUserInteractionSuppressing)
        alerts.setInteractionSuppressed(true, forIdentifier: "a")
        #expect(alerts.isInteractionSuppressed(forIdentifier: "a"))
        #expect(!alerts.isInteractionSuppressed(forIdentifier: "b"))
        #expect(!(provider is NSFileProviderSearching))
    }

    // MARK: What the system does

    private func create(
        _ name: String, _ type: UTType, in parent: NSFileProviderItemIdentifier, text: String? = nil
    ) async throws -> NotebookItem {
        var file: URL?
        if let text {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent(
                UUID().uuidString)
            try Data(text.utf8).write(to: url)
            file = url
        }
        defer { file.map { try? FileManager.default.removeItem(at: $0) } }
        let template = Template(name, type, in: parent)
        return try await withCheckedThrowingContinuation { done in
            _ = provider.createItem(
                basedOn: template, fields: [.filename, .contents], contents: file, options: [],
                request: request
            ) { item, _, _, error in
                done.resume(with: Result(item: item, error: error))
            }
        }
    }

    private func modify(
        _ item: NotebookItem, base: NSFileProviderItemVersion, text: String
    ) async throws -> (NotebookItem, Bool) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await withCheckedThrowingContinuation { done in
            _ = provider.modifyItem(
                item, baseVersion: base, changedFields: .contents, contents: url, options: [],
                request: request
            ) { item, _, fetch, error in
                done.resume(with: Result(item: item, error: error).map { ($0, fetch) })
            }
        }
    }

    private func delete(
        _ identifier: NSFileProviderItemIdentifier, _ options: NSFileProviderDeleteItemOptions
    ) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, Error>) in
            _ = provider.deleteItem(
                identifier: identifier, baseVersion: NSFileProviderItemVersion(), options: options,
                request: request
            ) { error in
                done.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    private func name(of identifier: NSFileProviderItemIdentifier) async throws -> String {
        try await withCheckedThrowingContinuation { done in
            _ = provider.item(for: identifier, request: request) { item, error in
                done.resume(with: Result(item: item, error: error).map { $0.filename })
            }
        }
    }

    private func content(of identifier: NSFileProviderItemIdentifier) async throws -> String {
        let url: URL = try await withCheckedThrowingContinuation { done in
            _ = provider.fetchContents(for: identifier, version: nil, request: request) {
                url, _, error in
                done.resume(
                    with: url.map { .success($0) }
                        ?? .failure(error ?? CocoaError(.featureUnsupported)))
            }
        }
        defer { try? FileManager.default.removeItem(at: url) }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    private func names(in container: NSFileProviderItemIdentifier) async throws -> [String] {
        let enumerator = try provider.enumerator(for: container, request: request)
        let first = NSFileProviderPage.initialPageSortedByName as NSFileProviderPage
        return await page(of: enumerator, at: first).names
    }

    private func page(
        of enumerator: NSFileProviderEnumerator, at page: NSFileProviderPage
    ) async -> (names: [String], next: NSFileProviderPage?) {
        await withCheckedContinuation { done in
            enumerator.enumerateItems(
                for: PageObserver { done.resume(returning: ($0, $1)) }, startingAt: page)
        }
    }

    private func error(_ body: () async throws -> Void) async -> NSError {
        do {
            try await body()
            return NSError(domain: "none", code: 0)
        } catch {
            return error as NSError
        }
    }
}

extension Result where Success == NotebookItem, Failure == Error {
    fileprivate init(item: NSFileProviderItem?, error: Error?) {
        if let item = item as? NotebookItem {
            self = .success(item)
        } else {
            self = .failure(error ?? CocoaError(.featureUnsupported))
        }
    }
}
