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
    ///   - progress: told how many bytes the file holds.
    package func run(
        version: Version? = nil, into file: any File, older: (file: any File, size: Int64)? = nil,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> Outcome {
        let answer = try await connection.manifest(of: item, in: domain, version: version)
        let manifest = answer.manifest
        var known: Manifest?
        if let older { known = try await FileManifest.read(older.file, size: older.size) }
        let plan = DeltaPlan(to: manifest, from: known)
        var fetches = plan.fetches
        if let older { fetches += try await copy(plan.copies, from: older.file, into: file) }
        let fetched = fetches.reduce(0) { $0 + Int64($1.count) }
        progress(manifest.size - fetched)
        try await fetch(
            fetches, answer.version, into: file, done: manifest.size - fetched, progress)
        try await verify(file, manifest)
        return Outcome(version: answer.version, manifest: manifest, fetchedBytes: fetched)
    }

    /// - Returns: what turned out not to be there any more.
    private func copy(
        _ copies: [DeltaPlan.Copy], from older: any File, into file: any File
    ) async throws(ConnectionError) -> [Range<Int64>] {
        var changed: [Range<Int64>] = []
        do {
            for copy in copies {
                let bytes = try older.read(at: copy.source, count: copy.length)
                if bytes.count == copy.length, ContentHash(of: bytes) == copy.hash {
                    try file.write(bytes, at: copy.target)
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
        _ fetches: [Range<Int64>], _ version: Version, into file: any File, done: Int64,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws(ConnectionError) {
        var there = done
        do {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, range) in fetches.enumerated() {
                    if index >= Self.parallelism, let length = try await group.next() {
                        there += Int64(length)
                        progress(there)
                    }
                    group.addTask {
                        _ = try await connection.download(
                            item, in: domain, version: version, range: range, into: file)
                        return range.count
                    }
                }
                for try await length in group {
                    there += Int64(length)
                    progress(there)
                }
            }
        } catch {
            throw ConnectionError(erased: error)
        }
    }

    /// Over what lies in the file: a manifest that lies, or a disk that does, is found out.
    private func verify(_ file: any File, _ manifest: Manifest) async throws(ConnectionError) {
        do {
            var hasher = SHA256()
            var position: Int64 = 0
            while position < manifest.size {
                let count = Int(min(Int64(Self.pieceLength), manifest.size - position))
                let bytes = try file.read(at: position, count: count)
                guard bytes.count == count else { break }
                hasher.update(bytes)
                position += Int64(count)
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
