import BasketSupport
import FileProvider
import Foundation
import Glibc
import Synchronization

/// Serves a folder of the local disk: the smallest provider that others change, too. It finds what they do there when
/// it looks, and says so; what it is asked to do, it does there at once.
package final class FolderExtension: NSObject, NSFileProviderReplicatedExtension,
    CompleteWorkingSet,
    Sendable
{
    private let aside: String
    private let listing: Mutex<FolderListing>
    private let signal = Mutex<(@Sendable () -> Void)?>(nil)
    /// Of the last change that was said.
    private let told = Mutex(0)
    private let isHeld = Mutex(false)

    /// - Parameter aside: a folder of its own, on the same volume.
    package init(serving root: String, aside: String) {
        self.aside = aside
        listing = Mutex(FolderListing(root: root))
    }

    package required init(domain: NSFileProviderDomain) {
        fatalError("the test makes it")
    }

    package func invalidate() {}

    /// Says when something has changed there.
    package func onChange(_ signal: @escaping @Sendable () -> Void) {
        self.signal.withLock { $0 = signal }
    }

    /// Whether whoever asks for contents waits, until it says otherwise.
    package func hold(_ isHeld: Bool) {
        self.isHeld.withLock { $0 = isHeld }
    }

    /// Looks whether somebody has changed anything. Who has seen it first may be about to say so.
    package func look() {
        with { _ in }
        signal.withLock { $0 }?()
    }

    /// Works on the folder as it is now, and nobody of ours meanwhile. What is different there afterwards is said,
    /// whoever has done it.
    private func with<Value: Sendable>(
        _ work: (inout FolderListing) throws -> Value
    ) rethrows -> Value {
        defer {
            let rank = listing.withLock { $0.rank }
            let isNew = told.withLock { told in
                defer { told = max(told, rank) }
                return rank > told
            }
            if isNew { signal.withLock { $0 }?() }
        }
        return try listing.withLock { listing in
            listing.refresh()
            return try work(&listing)
        }
    }

    /// Answers on another thread.
    private func answer<Value: Sendable>(
        whenLetGo: Bool = false,
        _ work: @escaping @Sendable (inout FolderListing) throws -> Value,
        _ done: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Progress {
        Task {
            while whenLetGo, isHeld.withLock({ $0 }) {
                try? await Task.sleep(for: .milliseconds(5))
            }
            done(Result { try self.with(work) })
        }
        return Progress()
    }

    // MARK: Telling

    package func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator {
        FolderEnumerator { self.with { $0 } }
    }

    package func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable ((any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        answer {
            try Self.item(identifier, $0)
        } _: { result in
            switch result {
            case .success(let item): completionHandler(item, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    private static func item(
        _ id: NSFileProviderItemIdentifier, _ listing: FolderListing
    ) throws -> FolderItem {
        guard let record = listing.records[id] else {
            throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: id)
        }
        return FolderItem(record)
    }

    package func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        answer(whenLetGo: true) { [self] listing in
            let item = try Self.item(itemIdentifier, listing)
            let copy = newFile()
            try FileManager.default.copyItem(
                atPath: listing.root + item.record.path, toPath: copy)
            listing.refresh()
            // What was written to while it was copied is neither the one nor the other.
            guard listing.records[itemIdentifier] == item.record else {
                try FileManager.default.removeItem(atPath: copy)
                throw CocoaError(.fileReadUnknown)
            }
            return (URL(fileURLWithPath: copy), item)
        } _: { (result: Result<(URL, FolderItem), any Error>) in
            switch result {
            case .success(let (url, item)): completionHandler(url, item, nil)
            case .failure(let error): completionHandler(nil, nil, error)
            }
        }
    }

    // MARK: Doing

    package func createItem(
        basedOn itemTemplate: any NSFileProviderItemProtocol, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions,
        request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let (name, parent) = (itemTemplate.filename, itemTemplate.parentItemIdentifier)
        let target = itemTemplate.symlinkTargetPath?.flatMap(\.self)
        let isFolder = itemTemplate.contentType.map { $0.conforms(to: .directory) } == true
        return answer { [self] listing in
            guard let folder = listing.path(of: parent) else {
                throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: parent)
            }
            let file = isFolder || target != nil ? nil : try copy(of: url)
            defer { if let file { unlink(file) } }
            let path = try place(name, in: folder) { path in
                if isFolder { return mkdir(path, 0o700) }
                return target.map { symlink($0, path) } ?? file.map { link($0, path) } ?? -1
            }
            listing.refresh()
            return (try Self.item(at: path, listing), false)
        } _: {
            Self.tell($0, completionHandler)
        }
    }

    package func modifyItem(
        _ item: any NSFileProviderItemProtocol, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let (id, name) = (item.itemIdentifier, item.filename)
        let parent = item.parentItemIdentifier
        let isMoved = !changedFields.isDisjoint(with: [.filename, .parentItemIdentifier])
        return answer { [self] listing in
            var record = try Self.item(id, listing).record
            var isOther = false
            if changedFields.contains(.contents), let newContents, record.kind == .file {
                let file = try copy(of: newContents)
                defer { unlink(file) }
                isOther = try !replace(
                    record, base: version.contentVersion, with: file, &listing)
                record = try Self.item(id, listing).record
            }
            if isMoved {
                guard let folder = listing.path(of: parent) else {
                    throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: parent)
                }
                let old = listing.root + record.path
                if old != folder + "/" + name {
                    _ = try place(name, in: folder) { path in
                        if record.kind == .folder {
                            if access(path, F_OK) == 0 { return fail(EEXIST) }
                            return rename(old, path)
                        }
                        return link(old, path) == 0 ? unlink(old) : -1
                    }
                    listing.refresh()
                }
            }
            let present = try Self.item(id, listing)
            // What others have written is here only once it was fetched.
            let isNews =
                !changedFields.contains(.contents) && record.kind == .file
                && present.itemVersion.contentVersion != version.contentVersion
            return (present, isOther || isNews)
        } _: {
            Self.tell($0, completionHandler)
        }
    }

    /// Puts a file in the place of another one, if that is still what the writer has seen; else beside it. What is
    /// there is taken away before it is looked at, so that nobody changes it in between.
    private func replace(
        _ record: FolderListing.Record, base: Data, with file: String,
        _ listing: inout FolderListing
    ) throws -> Bool {
        let path = listing.root + record.path
        let taken = newFile()
        guard rename(path, taken) == 0 else { throw CocoaError(.fileNoSuchFile) }
        let isSeen = FolderListing.look("", taken)?.contentVersion == base
        if isSeen, link(file, path) == 0 {
            unlink(taken)
            listing.refresh()
            return true
        }
        // Whoever has come in between stays.
        let folder = FolderListing.folder(of: path)
        _ = try place(record.name, in: folder) { link(taken, $0) }
        unlink(taken)
        _ = try place(record.name + " (conflict)", in: folder) { link(file, $0) }
        listing.refresh()
        return false
    }

    package func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        answer { listing in
            guard let record = listing.records[identifier] else { return }
            let path = listing.root + record.path
            if record.kind == .folder {
                guard rmdir(path) == 0 else { throw NSFileProviderError(.directoryNotEmpty) }
            } else {
                guard record.kind == .link || record.contentVersion == version.contentVersion
                else { throw NSFileProviderError(.deletionRejected) }
                unlink(path)
            }
            listing.refresh()
        } _: { result in
            switch result {
            case .success: completionHandler(nil)
            case .failure(let error): completionHandler(error)
            }
        }
    }

    // MARK: The disk

    private static func tell(
        _ result: Result<(FolderItem, Bool), any Error>,
        _ completionHandler: (
            (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
        ) -> Void
    ) {
        switch result {
        case .success(let (item, isOther)): completionHandler(item, [], isOther, nil)
        case .failure(let error): completionHandler(nil, [], false, error)
        }
    }

    private static func item(at path: String, _ listing: FolderListing) throws -> FolderItem {
        guard
            let record = listing.records.values.first(where: { listing.root + $0.path == path })
        else { throw CocoaError(.fileNoSuchFile) }
        return FolderItem(record)
    }

    private func newFile() -> String { aside + "/" + UUID().uuidString }

    private func copy(of url: URL?) throws -> String {
        let path = newFile()
        guard let url else {
            guard FileManager.default.createFile(atPath: path, contents: Data()) else {
                throw CocoaError(.fileWriteUnknown)
            }
            return path
        }
        try FileManager.default.copyItem(atPath: url.path, toPath: path)
        return path
    }

    /// Makes something under a name, or under the next one that is free: nothing is written over.
    private func place(
        _ name: String, in folder: String, _ make: (String) throws -> CInt
    ) throws -> String {
        let names = BouncedName(name)
        for index in -1..<1000 {
            let path = folder + "/" + (index < 0 ? name : names.candidate(index))
            if try make(path) == 0 { return path }
            guard errno == EEXIST else { throw CocoaError(.fileWriteUnknown) }
        }
        throw CocoaError(.fileWriteFileExists)
    }
}

private func fail(_ error: CInt) -> CInt {
    errno = error
    return -1
}
