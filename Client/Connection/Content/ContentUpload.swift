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
    /// How many chunks a request can name that makes a file, and one that writes to it: of long ones, half a terabyte's
    /// and one terabyte's worth.
    private static let mostChunksOfNew = 160_000
    private static let mostChunks = 300_000
    /// How many chunks travel at a time.
    private static let parallelism = 4
    /// How often chunks may have gone between being there and being counted on.
    private static let mostRounds = 3
    /// How often a content is sent of which the server then has other bytes.
    private static let mostSendings = 2
    /// How often it is seen to move while the server reads it.
    private static let lookingPause = Duration.seconds(30)

    let connection: ServerConnection
    let domain: String
    let content: OutgoingFile

    package init(_ connection: ServerConnection, domain: String, _ content: OutgoingFile) {
        self.connection = connection
        self.domain = domain
        self.content = content
    }

    private var size: Int64 { content.size }
    private var way: UploadProgress { content.way }

    /// Gives a file another content. When it returns, the server has named the hash of just these bytes; where it
    /// names another one, they are sent again over that.
    package func replace(
        _ item: String, base: ServerConnection.Base, modified: Timestamp? = nil,
        sent: Timestamp? = nil
    ) async throws(ConnectionError) -> ContentAnswer {
        var base = base
        for _ in 0..<Self.mostSendings {
            let (answer, hash) = try await send(item, base, modified, sent)
            // What is kept as a conflict version is not what the item has.
            if answer.item.sha256 == hash || answer.conflict != nil { return answer }
            base = .version(answer.item.contentVersion)
        }
        throw Self.otherBytes
    }

    private func send(
        _ item: String, _ base: ServerConnection.Base, _ modified: Timestamp?,
        _ sent: Timestamp?
    ) async throws(ConnectionError) -> (ContentAnswer, ContentHash) {
        guard size > Self.longestWhole else {
            let bytes = try whole()
            way.begin()
            let hash = ContentHash(of: bytes)
            let answer = try await waiting {
                try await connection.putContent(
                    .bytes(bytes), of: item, in: domain, base: base, modified: modified,
                    sent: sent, hash: hash, progress: { way.moving($0.sent, of: 0) })
            }
            return (answer, hash)
        }
        return try await committing(Self.mostChunks) { manifest in
            try await connection.putContent(
                from: manifest, of: item, in: domain, base: base, modified: modified,
                sent: sent)
        }
    }

    /// What the server says to have is not what it was sent.
    package static let otherBytes = ConnectionError.badAnswer(
        "it names another SHA-256 than that of the bytes that were sent")

    /// Makes a file with this content. When it returns a new one, the server has named the hash of just these bytes;
    /// else it is for the caller to see what the file has by now.
    package func create(
        _ request: CreateItemRequest
    ) async throws(ConnectionError) -> ItemAnswer {
        var request = request
        guard size > Self.longestInline else {
            let bytes = try whole()
            request.content = Base64Bytes(bytes)
            let answer = try await connection.create(request, in: domain)
            return try Self.checked(answer, ContentHash(of: bytes))
        }
        let (answer, hash) = try await committing(Self.mostChunksOfNew) { manifest in
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
            return try TransportBody.file(content.file, offset: 0, length: size)
                .read(at: 0, upTo: Int(size))
        } catch {
            throw ConnectionError(error)
        }
    }

    private func committing<Answer>(
        _ mostChunks: Int, _ commit: (Manifest) async throws -> Answer
    ) async throws(ConnectionError) -> (Answer, ContentHash) {
        let manifest = try await content.manifest()
        // Before anything is sent for nothing.
        guard manifest.chunks.count <= mostChunks else { throw .tooManyChunks(limit: mostChunks) }
        var round = 1
        while true {
            do {
                let answer = try await waiting {
                    try await sendMissing(of: manifest)
                    return try await commit(manifest)
                }
                return (answer, manifest.hash)
            } catch {
                guard error.code == "chunks_missing", round < Self.mostRounds else { throw error }
                round += 1
            }
        }
    }

    /// Two things take minutes and say nothing meanwhile: other uploads have the places in which contents travel, and
    /// the server reads all of a long one before it answers. Both are seen to move. What is under way and stands still
    /// is given up by the connection.
    private func waiting<Answer>(
        _ body: () async throws -> Answer
    ) async throws(ConnectionError) -> Answer {
        do {
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while true {
                        try await connection.world.sleep(Self.lookingPause)
                        way.waited()
                    }
                }
                defer { group.cancelAll() }
                return try await body()
            }
        } catch {
            throw ConnectionError(erased: error)
        }
    }

    /// A chunk, and where in the file it lies.
    private struct Place {
        let chunk: Manifest.Chunk
        let offset: Int64
    }

    private func sendMissing(
        of manifest: Manifest
    ) async throws(ConnectionError) {
        way.begin()
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
        way.there(size - missing.reduce(0) { $0 + Int64($1.chunk.length) })
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, place) in missing.enumerated() {
                    if index >= Self.parallelism { try await group.next() }
                    group.addTask { try await send(place) }
                }
                try await group.waitForAll()
            }
        } catch {
            throw ConnectionError(erased: error)
        }
    }

    private func send(_ place: Place) async throws {
        let length = Int64(place.chunk.length)
        try await connection.putChunk(
            .file(content.file, offset: place.offset, length: length), hash: place.chunk.hash,
            in: domain
        ) { way.moving($0.sent, of: place.offset) }
        way.arrived(length, of: place.offset)
    }
}
