import FileProvider

class NotebookExtension: NSObject, NSFileProviderReplicatedExtension {
    let domain: NSFileProviderDomain
    let manager: NSFileProviderManager
    var version = NSFileProviderDomainVersion()
    var suppressed = Set<String>()
    var isInvalid = false

    required init(domain: NSFileProviderDomain) {
        self.domain = domain
        self.manager = NSFileProviderManager(for: domain)!
        super.init()
    }

    func invalidate() {
        isInvalid = true
    }

    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler: @escaping (NSFileProviderItem?, Error?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        if identifier == .trashContainer || identifier == .workingSet {
            completionHandler(nil, NSFileProviderError(.noSuchItem))
            return progress
        }
        Notebook.shared.call { try $0.page(identifier.rawValue) }.answer { result in
            progress.completedUnitCount = 1
            switch result {
            case .success(let page): completionHandler(NotebookItem(page), nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
        return progress
    }

    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?,
        request: NSFileProviderRequest,
        completionHandler: @escaping (URL?, NSFileProviderItem?, Error?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 100)
        var finished = false
        progress.cancellationHandler = {
            completionHandler(
                nil, nil,
                NSError(domain: NSCocoaErrorDomain, code: NSUserCancelledError, userInfo: nil))
        }
        Notebook.shared.call { try $0.page(itemIdentifier.rawValue) }.answer { result in
            guard !progress.isCancelled, !finished else { return }
            finished = true
            do {
                let page = try result.get()
                let url = try self.temporaryURL()
                try page.text.write(to: url)
                progress.completedUnitCount = 100
                completionHandler(url, NotebookItem(page), nil)
            } catch {
                completionHandler(nil, nil, error)
            }
        }
        return progress
    }

    func createItem(
        basedOn itemTemplate: NSFileProviderItem, fields: NSFileProviderItemFields,
        contents url: URL?,
        options: NSFileProviderCreateItemOptions = [], request: NSFileProviderRequest,
        completionHandler:
            @escaping (NSFileProviderItem?, NSFileProviderItemFields, Bool, Error?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        if itemTemplate.contentType == .symbolicLink || itemTemplate.contentType == .aliasFile {
            completionHandler(nil, [], false, NSFileProviderError(.excludedFromSync))
            return progress
        }
        if options.contains(.mayAlreadyExist), url == nil, itemTemplate.contentType != .folder {
            completionHandler(nil, [], false, nil)
            return progress
        }
        do {
            let page = Page(
                identifier: UUID().uuidString, parent: itemTemplate.parentItemIdentifier.rawValue,
                name: itemTemplate.filename,
                isSection: itemTemplate.contentType?.conforms(to: .folder) ?? false,
                text: try url.map { try Data(contentsOf: $0, options: .alwaysMapped) } ?? Data(),
                contentRevision: 1, metadataRevision: 1, tags: itemTemplate.tagData ?? nil,
                modified: (itemTemplate.contentModificationDate ?? nil) ?? Date(), change: 0)
            Notebook.shared.call { try $0.insert(page) }.answer { result in
                progress.completedUnitCount = 1
                switch result {
                case .success(let page):
                    completionHandler(
                        NotebookItem(page), fields.intersection([.favoriteRank, .lastUsedDate]),
                        false, nil)
                case .failure(let error):
                    completionHandler(nil, [], false, error)
                }
            }
        } catch {
            completionHandler(nil, [], false, error)
        }
        return progress
    }

    func modifyItem(
        _ item: NSFileProviderItem, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions = [], request: NSFileProviderRequest,
        completionHandler:
            @escaping (NSFileProviderItem?, NSFileProviderItemFields, Bool, Error?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        if item.parentItemIdentifier == .trashContainer {
            completionHandler(
                nil, [], false, NSError(domain: NSCocoaErrorDomain, code: NSFeatureUnsupportedError)
            )
            return progress
        }
        let text = newContents.flatMap { try? Data(contentsOf: $0) }
        Notebook.shared.call { notebook -> (Page, Bool) in
            var page = try notebook.page(item.itemIdentifier.rawValue)
            let isStale = NotebookItem(page).itemVersion.contentVersion != version.contentVersion
            if changedFields.contains(.contents), isStale {
                if options.contains(.failOnConflict) {
                    throw NSFileProviderError(.localVersionConflictingWithServer)
                }
                return (page, true)
            }
            if changedFields.contains(.contents), let text = text {
                page.text = text
                page.contentRevision += 1
            }
            if changedFields.contains(.filename) { page.name = item.filename }
            if changedFields.contains(.parentItemIdentifier) {
                page.parent = item.parentItemIdentifier.rawValue
            }
            if changedFields.contains(.tagData), let tags = item.tagData { page.tags = tags }
            if changedFields.contains(.contentModificationDate),
                let date = item.contentModificationDate as? Date
            {
                page.modified = date
            }
            page.metadataRevision += 1
            return (notebook.store(page), false)
        }.answer { result in
            progress.completedUnitCount = 1
            switch result {
            case .success(let (page, isTheirs)):
                completionHandler(NotebookItem(page), [], isTheirs, nil)
            case .failure(let error as NSFileProviderError) where error.code == .noSuchItem:
                completionHandler(nil, [], false, error)
            case .failure(let error): completionHandler(nil, [], false, error)
            }
            self.manager.signalEnumerator(for: .workingSet) { _ in }
        }
        return progress
    }

    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions = [], request: NSFileProviderRequest,
        completionHandler: @escaping (Error?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        Notebook.shared.call {
            try $0.delete(identifier.rawValue, recursive: options.contains(.recursive))
        }.answer { result in
            progress.completedUnitCount = 1
            if case .failure(let error) = result {
                completionHandler(error)
            } else {
                completionHandler(nil)
            }
        }
        return progress
    }

    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> NSFileProviderEnumerator {
        switch containerItemIdentifier {
        case .trashContainer:
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSFeatureUnsupportedError, userInfo: [:])
        default:
            return NotebookEnumerator(container: containerItemIdentifier)
        }
    }

    func materializedItemsDidChange(completionHandler: @escaping () -> Void) {
        DispatchQueue.global().async { completionHandler() }
    }

    func temporaryURL() throws -> URL {
        let folder =
            (try? manager.temporaryDirectoryURL()) ?? FileManager.default.temporaryDirectory
        return folder.appendingPathComponent(UUID().uuidString)
    }
}
