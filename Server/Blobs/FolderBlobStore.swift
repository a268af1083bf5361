import BasketSupport
import Glibc
import Synchronization

/// Blobs as files in a folder: `blobs/` holds the sealed ones, fanned out by the first two characters
/// of their names; `drafts/` holds the others.
///
/// A name in `blobs/` means that the bytes behind it are whole and durable. Everything in `drafts/`
/// is garbage once nobody writes it, so what a crash left there goes at the next start.
///
/// Others put things into folders, too: the folders of a network drive's indexer, an editor's copies.
/// They are passed over, with a warning, and left where they are.
package final class FolderBlobStore: BlobStore {
    private let files: any FileSystem
    private let layout: BlobLayout
    private let space: SpaceGuard
    private let cache: BlobCache
    private let log: Log
    /// What is not the store's, and was told of already.
    private let strangers = Mutex<Set<String>>([])
    /// The folders in `blobs/` whose own names are known to be durable.
    private let durableFolders = Mutex<Set<String>>([])

    /// Nobody else may use the folder meanwhile: what looks like a leftover would be removed.
    /// - Parameters:
    ///   - reserveBytes: what is never written to; by default 1% of the disk, between 256 MiB and
    ///     5 GiB.
    ///   - openBlobLimit: how many blobs are held open for the next reader.
    ///   - isGuest: whether another process may be the folder's owner: then it is only read.
    package init(
        folder: String, world: World, reserveBytes: Int64? = nil, openBlobLimit: Int = 256,
        isGuest: Bool = false
    ) throws(BlobError) {
        let files = world.files
        let layout = BlobLayout(folder: folder)
        self.files = files
        self.layout = layout
        log = world.log
        cache = BlobCache(limit: openBlobLimit)
        do {
            if !isGuest { try Self.prepare(layout, folder, world) }
            var reserve = reserveBytes
            if reserve == nil {
                reserve = SpaceGuard.usualReserve(totalBytes: try files.totalBytes(at: folder))
            }
            space = SpaceGuard(reserve: reserve ?? 0, uptime: world.uptime) {
                () throws(FileError) in
                try files.availableBytes(at: folder)
            }
        } catch {
            throw .file(error)
        }
    }

    private static func prepare(
        _ layout: BlobLayout, _ folder: String, _ world: World
    ) throws(FileError) {
        let files = world.files
        for made in [layout.blobs, layout.drafts] where !files.exists(made) {
            try files.makeFolder(made)
        }
        try files.synchronizeFolder(folder)
        for name in try files.list(layout.drafts) {
            do {
                try files.remove("\(layout.drafts)/\(name)")
            } catch {
                // It takes space and is in nobody's way: no reason for a server not to start.
                world.log.warning("cannot clear the drafts", ["error": .text("\(error)")])
            }
        }
    }

    private func passOver(_ path: String, _ error: FileError) {
        // Few enough to be remembered: names of two characters.
        guard strangers.withLock({ $0.insert(path).inserted }) else { return }
        log.warning("passed over what is no folder of blobs", ["error": .text("\(error)")])
    }

    /// Takes over a blob of a store on the same file system by giving its file a second name. Both
    /// stores have it then, and neither can hurt it by removing it.
    package func link(_ id: BlobID, from other: FolderBlobStore) throws(BlobError) {
        let folder = layout.folder(of: id)
        do {
            try makeDurable(folder)
            try files.link(other.layout.path(of: id), to: layout.path(of: id))
            try files.synchronizeFolder(folder)
        } catch {
            throw error.isMissing ? .noSuchBlob(id) : .file(error)
        }
    }

    package func makeDraft(
        _ id: BlobID, announcedSize: Int64?
    ) async throws(BlobError) -> any BlobDraft {
        guard !files.exists(layout.path(of: id)) else { throw .alreadyExists(id) }
        let announced = max(0, announcedSize ?? 0)
        try space.announce(announced)
        do {
            let file = try files.create(layout.draft(of: id))
            return FolderBlobDraft(id, file, in: self, announced: announced)
        } catch {
            space.withdraw(announced)
            throw failure(error, needed: announced)
        }
    }

    package func open(_ id: BlobID) throws(BlobError) -> Blob {
        if let blob = cache[id] { return blob }
        let removals = cache.removals
        do throws(FileError) {
            let path = layout.path(of: id)
            let file = try files.open(path)
            guard file.isRegular else { throw FileError("read as a file", path, code: EINVAL) }
            let blob = Blob(id: id, size: try file.size(), file: file)
            cache.insert(blob, unlessRemovedSince: removals)
            return blob
        } catch {
            throw error.isMissing ? .noSuchBlob(id) : .file(error)
        }
    }

    package func facts(of id: BlobID) async throws(BlobError) -> BlobFacts {
        let path = layout.path(of: id)
        do {
            return BlobFacts(size: try files.size(path), modified: try files.modified(path))
        } catch {
            throw error.isMissing ? .noSuchBlob(id) : .file(error)
        }
    }

    /// Not synchronised: if a crash undoes it, the blob is garbage that is found again.
    package func remove(_ id: BlobID) async throws(BlobError) {
        do {
            try files.remove(layout.path(of: id))
        } catch  where error.isMissing {
            // Removed already, which is what was asked for.
        } catch {
            throw .file(error)
        }
        cache.remove(id)
        space.forget()
    }

    package func list(after id: BlobID?, limit: Int) async throws(BlobError) -> [BlobID] {
        var found: [BlobID] = []
        let first = id.map(BlobLayout.fan) ?? ""
        let fans: [String]
        do {
            fans = try files.list(layout.blobs).filter { $0.utf8.count == 2 && $0 >= first }
        } catch {
            throw .file(error)
        }
        for fan in fans {
            found += blobs(in: fan).filter { candidate in id.map { candidate > $0 } ?? true }
            if found.count >= limit { break }
        }
        return Array(found.prefix(limit))
    }

    /// None where the folder cannot be read: who lists looks for what may go, and whose blob lies there
    /// is told when it is opened.
    private func blobs(in fan: String) -> [BlobID] {
        let folder = "\(layout.blobs)/\(fan)"
        do {
            // Names that are no blob's are somebody else's business, and so are those that lie where no
            // blob would be looked for.
            return try files.list(folder).compactMap(BlobID.init(text:)).filter {
                BlobLayout.fan($0) == fan
            }
        } catch {
            passOver(folder, error)
            return []
        }
    }

    package func availableBytes() async throws(BlobError) -> Int64 {
        try space.available()
    }

    package func shortage() async throws(BlobError) -> DiskShortage {
        try space.shortage()
    }

    package func requireRoom(for bytes: Int64) async throws(BlobError) {
        try space.ask(for: bytes)
    }

    package func takeRoom(for bytes: Int64) async throws(BlobError) {
        try space.take(bytes, hasRoomWithin: false)
    }

    package func takeReusedRoom(for bytes: Int64) async throws(BlobError) {
        try space.take(bytes, hasRoomWithin: true)
    }
}

// What a draft asks of its store.
extension FolderBlobStore {
    func spend(_ bytes: Int64, announced: Int64, after size: Int64) throws(BlobError) {
        try space.spend(bytes, announced: announced, after: size)
    }

    func write(_ bytes: [UInt8], to file: any File, at offset: Int64) throws(BlobError) {
        do {
            try file.write(bytes, at: offset)
        } catch {
            throw failure(error, needed: Int64(bytes.count))
        }
    }

    /// In the order that makes a name a promise: the bytes, then the name, then the name's durability.
    func seal(_ id: BlobID, _ file: any File, size: Int64) throws(BlobError) {
        let target = layout.path(of: id)
        do {
            try file.synchronize()
            try makeDurable(layout.folder(of: id))
            try files.rename(layout.draft(of: id), to: target)
        } catch {
            throw failure(error, needed: size)
        }
        do {
            try files.synchronizeFolder(layout.folder(of: id))
        } catch {
            // Its name may or may not survive, and no row will use it: better gone. If that fails too, it
            // is garbage like any other.
            try? files.remove(target)
            throw failure(error, needed: size)
        }
    }

    func discard(_ id: BlobID) {
        // A failure leaves a file that the next start removes.
        try? files.remove(layout.draft(of: id))
        space.forget()
    }

    func withdraw(_ announced: Int64) {
        space.withdraw(announced)
    }

    /// A folder that was made but whose name is not durable would take its blobs with it in a crash.
    /// Remembered only afterwards: who comes meanwhile does the same again rather than rely on it.
    private func makeDurable(_ folder: String) throws(FileError) {
        guard !durableFolders.withLock({ $0.contains(folder) }) else { return }
        try files.makeFolder(folder)
        try files.synchronizeFolder(layout.blobs)
        durableFolders.withLock { _ = $0.insert(folder) }
    }

    private func failure(_ error: FileError, needed: Int64) -> BlobError {
        guard error.isOutOfSpace else { return .file(error) }
        space.forget()
        // The disk said no, so 0 is nearer to the truth than an error about the measurement.
        let available = (try? space.available()) ?? 0
        return .insufficientStorage(available: available, needed: needed)
    }
}
