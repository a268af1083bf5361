import BasketContent
import BasketModels
import BasketSupport

/// Sends a file's content, and of a large one only the chunks that the domain does not have. What was
/// sent stays on the server for a day: an upload that was ended goes on where it was.
///
/// The file must not change meanwhile; when it does, the server refuses what came of it.
package struct ContentUpload: Sendable {
    /// Shorter contents are sent as they are: they are one chunk, or little more.
    static let longestWhole: Int64 = 512 << 10
    /// What a new item's request may bear.
    static let longestInline: Int64 = 64 << 10
    /// How many hashes the server takes at once.
    private static let mostAsked = 10_000
    /// How many chunks travel at a time.
    private static let parallelism = 4
    /// How often chunks may have gone between being there and being counted on.
    private static let mostRounds = 3
    /// How often a content is sent of which the server then has other bytes.
    private static let mostSendings = 2

    let connection: ServerConnection
    let domain: String
    let file: any File
    let size: Int64

    package init(
        _ connection: ServerConnection, domain: String, file: any File, size: Int64
    ) {
        self.connection = connection
        self.domain = domain
        self.file = file
        self.size = size
    }

    /// Gives a file another content. When it returns, the server has named the hash of just these bytes; where it
    /// names another one, they are sent again over that.
    /// - Parameter progress: told how many bytes the server has, out of all.
    package func replace(
        _ item: String, base: ServerConnection.Base, modified: Timestamp? = nil,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> ContentAnswer {
        var base = base
        for _ in 0..<Self.mostSendings {
            let (answer, hash) = try await send(item, base, modified, progress)
            // What is kept as a conflict version is not what the item has.
            if answer.item.sha256 == hash || answer.conflict != nil { return answer }
            base = .version(answer.item.contentVersion)
        }
        throw Self.otherBytes
    }

    private func send(
        _ item: String, _ base: ServerConnection.Base, _ modified: Timestamp?,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws(ConnectionError) -> (ContentAnswer, ContentHash) {
        guard size > Self.longestWhole else {
            let bytes = try whole()
            let hash = ContentHash(of: bytes)
            let answer = try await connection.putContent(
                .bytes(bytes), of: item, in: domain, base: base, modified: modified, hash: hash,
                progress: { progress($0.sent) })
            return (answer, hash)
        }
        return try await committing(progress) { manifest in
            try await connection.putContent(
                from: manifest, of: item, in: domain, base: base, modified: modified)
        }
    }

    /// What the server says to have is not what it was sent.
    package static let otherBytes = ConnectionError.badAnswer(
        "it names another SHA-256 than that of the bytes that were sent")

    /// Makes a file with this content. When it returns a new one, the server has named the hash of just these bytes;
    /// else it is for the caller to see what the file has by now.
    package func create(
        _ request: CreateItemRequest, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> ItemAnswer {
        var request = request
        guard size > Self.longestInline else {
            let bytes = try whole()
            request.content = Base64Bytes(bytes)
            let answer = try await connection.create(request, in: domain)
            progress(size)
            return try Self.checked(answer, ContentHash(of: bytes))
        }
        let (answer, hash) = try await committing(progress) { manifest in
            var complete = request
            complete.manifest = manifest
            return try await connection.create(complete, in: domain)
        }
        return try Self.checked(answer, hash)
    }

    private static func checked(
        _ answer: ItemAnswer, _ hash: ContentHash
    ) throws(ConnectionError) -> ItemAnswer {
        guard !answer.isNew || answer.item.sha256 == hash else { throw otherBytes }
        return answer
    }

    private func whole() throws(ConnectionError) -> [UInt8] {
        do {
            return try TransportBody.file(file, offset: 0, length: size)
                .read(at: 0, upTo: Int(size))
        } catch {
            throw ConnectionError(error)
        }
    }

    private func committing<Answer>(
        _ progress: @escaping @Sendable (Int64) -> Void,
        _ commit: (Manifest) async throws -> Answer
    ) async throws(ConnectionError) -> (Answer, ContentHash) {
        // Reading a large file takes its time: a part of the way, so that it is seen to move.
        let manifest = try await FileManifest.read(file, size: size) { progress($0 / 16) }
        var round = 1
        while true {
            try await sendMissing(of: manifest, progress)
            do {
                return (try await commit(manifest), manifest.hash)
            } catch {
                let error = ConnectionError(erased: error)
                guard error.code == "chunks_missing", round < Self.mostRounds else { throw error }
                round += 1
            }
        }
    }

    /// A chunk, and where in the file it lies.
    private struct Place {
        let chunk: Manifest.Chunk
        let offset: Int64
    }

    private func sendMissing(
        of manifest: Manifest, _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws(ConnectionError) {
        var places: [Place] = []
        var known: Set<ContentHash> = []
        var offset: Int64 = 0
        for chunk in manifest.chunks {
            if known.insert(chunk.hash).inserted {
                places.append(Place(chunk: chunk, offset: offset))
            }
            offset += Int64(chunk.length)
        }
        var missing: [Place] = []
        for start in stride(from: 0, to: places.count, by: Self.mostAsked) {
            let asked = places[start..<min(start + Self.mostAsked, places.count)]
            let hashes = Set(
                try await connection.missingChunks(asked.map(\.chunk.hash), in: domain))
            missing += asked.filter { hashes.contains($0.chunk.hash) }
        }
        var there = size - missing.reduce(0) { $0 + Int64($1.chunk.length) }
        progress(there)
        do {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, place) in missing.enumerated() {
                    if index >= Self.parallelism, let length = try await group.next() {
                        there += Int64(length)
                        progress(there)
                    }
                    group.addTask { try await send(place) }
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

    private func send(_ place: Place) async throws -> Int {
        try await connection.putChunk(
            .file(file, offset: place.offset, length: Int64(place.chunk.length)),
            hash: place.chunk.hash, in: domain)
        return place.chunk.length
    }
}
