// Importing this module imports these two as well, as on Apple's systems: extensions rely on it.
@_exported import Foundation
@_exported import UniformTypeIdentifiers

/// What speaks for a remote storage. The system makes one object for each domain, calls it from any thread
/// and concurrently, and keeps a copy of the storage's tree on the disk from what it answers.
///
/// Each call returns its progress at once and calls its completion handler exactly once, on any thread. When
/// the progress is cancelled the handler is called promptly, with `CocoaError(.userCancelled)`.
public protocol NSFileProviderReplicatedExtension: NSObjectProtocol, NSFileProviderEnumerating {
    init(domain: NSFileProviderDomain)

    /// The object is not needed any more, and drops what holds it.
    func invalidate()

    /// What the provider knows of an item. `noSuchItem` makes the system delete it from the disk.
    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, (any Error)?
            ) -> Void
    ) -> Progress

    /// The content of a file, as a plain file on the replica's volume that the system then owns, and the
    /// item that describes it.
    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                URL?, (any NSFileProviderItemProtocol)?, (any Error)?
            ) -> Void
    ) -> Progress

    /// Something new appeared on the disk. The answer is the item that the provider made of it, the fields
    /// that are still pending, and whether the system should fetch the content. No item and no error means
    /// that it is refused, and deleted from the disk.
    func createItem(
        basedOn itemTemplate: any NSFileProviderItemProtocol, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions,
        request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress

    /// An item changed on the disk. The answer is as for a creation; no item and no error means that it is
    /// to be deleted from the disk.
    func modifyItem(
        _ item: any NSFileProviderItemProtocol, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress

    /// An item was deleted from the disk for good. An item that the provider does not know is a success.
    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress

    /// Everything that was found on the disk by an import has been offered. May be left out.
    func importDidFinish(completionHandler: @escaping @Sendable () -> Void)
    /// The same for those who prefer `async`. The system calls this one; implement either.
    func importDidFinish() async

    /// Other files or folders are on the disk than before. May be left out.
    func materializedItemsDidChange(completionHandler: @escaping @Sendable () -> Void)
    /// The same for those who prefer `async`. The system calls this one; implement either.
    func materializedItemsDidChange() async

    /// Other items wait to be synchronised than before. May be left out.
    func pendingItemsDidChange(completionHandler: @escaping @Sendable () -> Void)
    /// The same for those who prefer `async`. The system calls this one; implement either.
    func pendingItemsDidChange() async
}

extension NSFileProviderReplicatedExtension {
    public func importDidFinish(completionHandler: @escaping @Sendable () -> Void) {
        completionHandler()
    }

    public func importDidFinish() async {
        await Answer.value { done in importDidFinish { done(()) } }
    }

    public func materializedItemsDidChange(completionHandler: @escaping @Sendable () -> Void) {
        completionHandler()
    }

    public func materializedItemsDidChange() async {
        await Answer.value { done in materializedItemsDidChange { done(()) } }
    }

    public func pendingItemsDidChange(completionHandler: @escaping @Sendable () -> Void) {
        completionHandler()
    }

    public func pendingItemsDidChange() async {
        await Answer.value { done in pendingItemsDidChange { done(()) } }
    }
}
