import BasketContent
import BasketModels
import BasketSupport

/// Makes a file of a content, and fetches only those chunks that an older local file does not have.
package struct ContentDownload: Sendable {
    /// How many parts travel at a time.
    private static let parallelism = 4
    private static let pieceLength = 1 << 20

    let connection: ServerConnection
    let domain: String
    let item: String

    package init(_ connection: ServerConnection, domain: String, item: String) {
        self.connection = connection
        self.domain = domain
        self.item = item
    }

    /// What came of a download.
    package struct Outcome: Sendable {
        package let version: Version
        package let manifest: Manifest
        /// How much of it was fetched; the rest was here.
        package let fetchedBytes: Int64
    }

    /// Returns once the file holds the content, and its hash was computed over what the file holds. The
    /// file must be empty, or longer parts of it must be of no worth.
    /// - Parameters:
    ///   - older: a file that probably has much in common with it, and how much of it to look at.
    ///   - progress: told how far it is, in bytes of the content.
    package func run(
        version: Version? = nil, into file: any File, older: (file: any File, size: Int64)? = nil,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> Outcome {
        let answer = try await connection.manifest(of: item, in: domain, version: version)
        let manifest = answer.manifest
        let readsOlder = older.map { $0.size > 0 } ?? false
        let way = DownloadProgress(size: manifest.size, readsOlder: readsOlder, progress)
        var known: Manifest?
        if let older {
            // Cut as the content is.
            let isCoarse = manifest.size / Int64(max(1, manifest.chunks.count)) > 2 << 20
            known = try await FileManifest.read(
                older.file, size: older.size, isCoarse: isCoarse
            ) {
                way.read($0, of: older.size)
            }
        }
        let plan = DeltaPlan(to: manifest, from: known)
        var fetches = plan.fetches
        if let older { fetches += try await copy(plan.copies, from: older.file, into: file, way) }
        let fetched = fetches.reduce(0) { $0 + Int64($1.count) }
        try await fetch(fetches, answer.version, into: file, way)
        try await verify(file, manifest, way)
        return Outcome(version: answer.version, manifest: manifest, fetchedBytes: fetched)
    }

    /// - Returns: what turned out not to be there any more.
    private func copy(
        _ copies: [DeltaPlan.Copy], from older: any File, into file: any File,
        _ way: DownloadProgress
    ) async throws(ConnectionError) -> [Range<Int64>] {
        var changed: [Range<Int64>] = []
        do {
            for copy in copies {
                let bytes = try older.read(at: copy.source, count: copy.length)
                if bytes.count == copy.length, ContentHash(of: bytes) == copy.hash {
                    try file.write(bytes, at: copy.target)
                    way.brought(Int64(copy.length))
                } else {
                    changed.append(copy.target..<copy.target + Int64(copy.length))
                }
                await Task.yield()
                try Task.checkCancellation()
            }
            return changed
        } catch {
            throw ConnectionError(erased: error)
        }
    }

    private func fetch(
        _ fetches: [Range<Int64>], _ version: Version, into file: any File,
        _ way: DownloadProgress
    ) async throws(ConnectionError) {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, range) in fetches.enumerated() {
                    if index >= Self.parallelism { try await group.next() }
                    group.addTask { try await fetch(range, version, into: file, way) }
                }
                try await group.waitForAll()
            }
        } catch {
            throw ConnectionError(erased: error)
        }
    }

    private func fetch(
        _ range: Range<Int64>, _ version: Version, into file: any File, _ way: DownloadProgress
    ) async throws {
        var there = range.lowerBound
        _ = try await connection.download(
            item, in: domain, version: version, range: range, into: file,
            arrived: { end in
                way.brought(end - there)
                there = end
            })
    }

    /// Over what lies in the file: a manifest that lies, or a disk that does, is found out.
    private func verify(
        _ file: any File, _ manifest: Manifest, _ way: DownloadProgress
    ) async throws(ConnectionError) {
        do {
            var hasher = SHA256()
            var position: Int64 = 0
            while position < manifest.size {
                let count = Int(min(Int64(Self.pieceLength), manifest.size - position))
                let bytes = try file.read(at: position, count: count)
                guard bytes.count == count else { break }
                hasher.update(bytes)
                position += Int64(count)
                way.verified(position)
                await Task.yield()
                try Task.checkCancellation()
            }
            guard hasher.finish() == manifest.hash else {
                throw ConnectionError.badAnswer(
                    "the content's bytes are not those that its hash names")
            }
        } catch {
            throw ConnectionError(erased: error)
        }
    }
}
