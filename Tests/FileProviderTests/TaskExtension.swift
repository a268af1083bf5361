import FileProvider
import Foundation

/// An extension as one writes it for Swift 6: it answers from tasks of its own. It implements one optional
/// member with a handler, badly, and another one with `async`.
final class TaskExtension: NSObject, NSFileProviderReplicatedExtension, Sendable {
    let imports = Counter()
    let materialisations = Counter()

    init(domain: NSFileProviderDomain) {}
    func invalidate() {}

    func importDidFinish(completionHandler: @escaping @Sendable () -> Void) {
        imports.increment()
        completionHandler()
        // A second call, which must not be heard.
        completionHandler()
    }

    func materializedItemsDidChange() async {
        materialisations.increment()
    }

    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable (NSFileProviderItem?, (any Error)?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        let work = Task {
            do {
                try await Task.sleep(for: .seconds(3600))
                completionHandler(MinimalItem(identifier), nil)
            } catch {
                completionHandler(nil, CocoaError(.userCancelled))
            }
        }
        progress.cancellationHandler = { work.cancel() }
        return progress
    }

    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable (URL?, NSFileProviderItem?, (any Error)?) -> Void
    ) -> Progress {
        Task { completionHandler(nil, nil, NSFileProviderError(.noSuchItem)) }
        return Progress()
    }

    func createItem(
        basedOn itemTemplate: NSFileProviderItem, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions = [],
        request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        Task { completionHandler(nil, [], false, nil) }
        return Progress()
    }

    func modifyItem(
        _ item: NSFileProviderItem, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions = [], request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        Task { completionHandler(nil, [], false, nil) }
        return Progress()
    }

    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions = [], request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        Task { completionHandler(nil) }
        return Progress()
    }

    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator { MinimalEnumerator() }
}
