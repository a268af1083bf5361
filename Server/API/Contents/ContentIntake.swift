import BasketBlobs
import BasketContent
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Takes contents in: bytes that stream by are hashed, cut, and stored where the domain does not
/// have them yet; manifests are held against the bytes that they name. What comes out is durable.
package struct ContentIntake: Sendable {
    let call: Call
    let domain: Domain

    private var deadSince: Int64 {
        (call.world.now() - call.service.settings.uploadGrace).nanoseconds
    }

    // MARK: Streams

    /// Stores the request's body: a small one at once, a large one where blocking disturbs nobody.
    func receiveAside() async throws -> StagedContent {
        if let announced = call.request.body.announcedLength,
            announced <= Int64(StagedContent.inlineLimit)
        {
            return try await receive()
        }
        return try await call.service.aside { try await receive() }
    }

    private func receive() async throws -> StagedContent {
        var body = BodyReader(call.request.body, limit: call.service.settings.largestFile)
        let head = try await body.prefix(upTo: StagedContent.inlineLimit + 1)
        if head.count <= StagedContent.inlineLimit {
            let content = StagedContent(inline: head)
            try check(content.hash)
            if call.request.body.announcedLength == nil {
                try await call.requireRoom(for: head.count)
            }
            return content
        }
        return try await receiveLarge(head, &body)
    }

    private func receiveLarge(
        _ head: [UInt8], _ body: inout BodyReader
    ) async throws -> StagedContent {
        // A chunk is cut when its end is here: so much is held of one that comes slowly.
        try call.memory.take(Manifest.maximumChunkLength)
        let announced = call.request.body.announcedLength
        var writer = ChunkWriter(intake: self, announced: announced)
        var builder = ManifestBuilder(collectingBytes: true)
        var piece: [UInt8]? = head
        while let bytes = piece {
            for chunk in try builder.update(bytes) { try await writer.take(chunk) }
            piece = try await body.next()
        }
        let (manifest, last) = try builder.finish()
        if let last { try await writer.take(last) }
        do {
            try check(manifest.hash)
        } catch {
            await writer.discard()
            throw error
        }
        return try await writer.seal(manifest)
    }

    /// A client may say beforehand what it sends; then anything else leaves nothing behind.
    private func check(_ hash: ContentHash) throws {
        guard let expected = try Self.announcedHash(call.request) else { return }
        guard expected == hash else {
            throw StoreError.hashMismatch(expected: expected.hex, actual: hash.hex)
        }
    }

    /// The hash in `X-Content-SHA256`, or the SHA-256 of `Repr-Digest` (RFC 9530).
    package static func announcedHash(_ request: HTTPRequest) throws -> ContentHash? {
        if let text = request.headers["X-Content-SHA256"] {
            guard let hash = ContentHash(hex: text) else {
                throw Problem.badParameter("X-Content-SHA256", "64 hexadecimal digits")
            }
            return hash
        }
        guard let digest = request.headers["Repr-Digest"] else { return nil }
        for member in digest.utf8.split(separator: UInt8(ascii: ",")) {
            let member = member.filter { $0 != UInt8(ascii: " ") }
            let name = Array("sha-256=".utf8)
            guard member.starts(with: name) else { continue }
            let quoted = member.dropFirst(name.count)
            let value = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
            let mark = UInt8(ascii: ":")
            guard quoted.count > 1, quoted.first == mark, quoted.last == mark,
                let bytes = Base64.decode(value, .standard), let hash = ContentHash(bytes: bytes)
            else { throw Problem.badParameter("Repr-Digest", "a SHA-256 in base64") }
            return hash
        }
        return nil
    }

    // MARK: Single chunks

    /// Stores one chunk that the client names by its hash.
    func receiveChunk(_ expected: ContentHash) async throws -> (chunk: StagedChunk, blobSize: Int64)
    {
        let bytes = try await call.collectBody(upTo: Manifest.maximumChunkLength)
        guard !bytes.isEmpty else { throw Problem(422, "empty_chunk", "A chunk has bytes.") }
        let actual = ContentHash(of: bytes)
        guard actual == expected else {
            throw StoreError.hashMismatch(expected: expected.hex, actual: actual.hex)
        }
        if try knows(expected) { return (StagedChunk(hash: expected, length: bytes.count), 0) }
        let draft = try await call.service.blobs.makeDraft(
            .drawn(in: call.world), announcedSize: Int64(bytes.count))
        let position = try await draft.append(bytes)
        let place = BlobPlace(blob: try await draft.seal(), position: position)
        return (StagedChunk(hash: expected, length: bytes.count, place: place), Int64(bytes.count))
    }

    /// Whether the domain has the chunk and will go on having it.
    func knows(_ hash: ContentHash) throws -> Bool {
        try call.store.read { try $0.hasChunk(hash, in: domain, deadSince: deadSince) }
    }

    /// Whether something that is there bears the chunk, and not history alone, which may give way to new
    /// work on a disk that runs full.
    func isBorneByLiving(_ hash: ContentHash) throws -> Bool {
        try call.store.read { try $0.isBorneByLiving(hash, in: domain) }
    }

    // MARK: Manifests

    /// The content that a creation bears: bytes, a manifest, or none.
    static func content(
        of request: CreateItemRequest, for call: Call
    ) async throws -> StagedContent? {
        try await call.requireRoom(for: request.content?.bytes.count ?? 0)
        if let bytes = request.content?.bytes {
            guard request.manifest == nil else {
                throw StoreError.badField(
                    field: "manifest", reason: "either content or a manifest")
            }
            guard bytes.count <= StagedContent.inlineLimit else {
                throw Problem.bodyTooLarge(limit: StagedContent.inlineLimit)
            }
            return StagedContent(inline: bytes)
        }
        guard let manifest = request.manifest else { return nil }
        let domain = try call.read { _, domain in domain }
        // What is merged with may hold the same already.
        let mayNeedNoRoom = try request.ifExists == .merge || call.isRepeated()
        return try await ContentIntake(call: call, domain: domain)
            .content(of: manifest, replacing: mayNeedNoRoom ? nil : 0)
    }

    /// Holds a manifest against the chunks that it names: all of them must be there, and together
    /// be what it says. What there can be no room for is refused before anything is read.
    ///
    /// - Parameter replaced: the size of the content that makes room; nil when that is not known yet.
    func content(of manifest: Manifest, replacing replaced: Int64?) async throws -> StagedContent {
        try domain.require(.writer)
        guard manifest.size <= call.service.settings.largestFile else {
            throw Problem.fileTooLarge(limit: call.service.settings.largestFile)
        }
        if let replaced { try requireQuota(for: manifest.size, replacing: replaced) }
        return try await call.service.aside {
            try requireChunks(of: manifest)
            return try await verified(manifest)
        }
    }

    private func requireChunks(of manifest: Manifest) throws {
        var missing: [String] = []
        var asked: Set<ContentHash> = []
        for chunk in manifest.chunks where asked.insert(chunk.hash).inserted {
            if try !knows(chunk.hash) { missing.append(chunk.hash.hex) }
            if missing.count == Chunks.mostAsked { break }
        }
        guard missing.isEmpty else { throw StoreError.chunksMissing(missing) }
    }

    /// What one verification reads before it lets others go on: some tens of milliseconds.
    private static let bytesInATurn = 64 << 20

    /// Reads the whole content once: a hash that is only believed would name other bytes for ever.
    private func verified(_ manifest: Manifest) async throws -> StagedContent {
        // A small one can be gone with the last who bears it, in the very transaction that asks for it.
        let isSmall = manifest.size <= Int64(StagedContent.inlineLimit)
        let known =
            try !isSmall
            && call.store.read { db in
                try db.knowsContent(manifest.hash, in: domain)
            }
        if !known {
            var hasher = SHA256()
            var small: [UInt8] = []
            var rest = manifest.chunks[...]
            var last: (chunk: Manifest.Chunk, bytes: [UInt8])?
            while !rest.isEmpty {
                try await call.service.verifications.take {
                    var turn = Self.bytesInATurn
                    while turn > 0, let chunk = rest.popFirst() {
                        try Task.checkCancellation()
                        // Of a file full of holes, most chunks are the same one.
                        let bytes =
                            if let last, last.chunk == chunk { last.bytes } else {
                                try await self.bytes(of: chunk)
                            }
                        last = (chunk, bytes)
                        hasher.update(bytes)
                        if isSmall { small += bytes }
                        turn -= chunk.length
                    }
                }
            }
            let actual = hasher.finish()
            guard actual == manifest.hash else {
                throw StoreError.hashMismatch(expected: manifest.hash.hex, actual: actual.hex)
            }
            if isSmall { return StagedContent(inline: small) }
        }
        return StagedContent(
            hash: manifest.hash, size: manifest.size,
            chunks: manifest.chunks.map { StagedChunk(hash: $0.hash, length: $0.length) },
            proof: known ? .known : .read)
    }

    /// Refuses what would not have room even if all history gave way.
    ///
    /// - Parameter replaced: the size of the content that makes room. What is as long may be the same.
    func requireQuota(for size: Int64, replacing replaced: Int64) throws {
        guard size != replaced, let room = try call.store.read({ try $0.mostRoom(in: domain) })
        else { return }
        let available = room + replaced
        guard size <= available else {
            throw StoreError.insufficientQuota(needed: size, available: max(0, available))
        }
    }

    private func bytes(of chunk: Manifest.Chunk) async throws -> [UInt8] {
        let found = try call.store.read { try $0.chunkPlace(chunk.hash, in: domain) }
        guard let (place, length) = found else {
            throw StoreError.chunksMissing([chunk.hash.hex])
        }
        guard length == chunk.length else {
            throw StoreError.badField(
                field: "manifest.chunks", reason: "chunk \(chunk.hash.hex) is \(length) bytes long")
        }
        let blob = try call.service.blobs.open(place.blobID)
        return try blob.read(at: place.position, count: length)
    }
}

extension Problem {
    static func fileTooLarge(limit: Int64) -> Problem {
        Problem(413, "file_too_large", "A file cannot be this large here.")
            .with("limit", .number(limit))
    }
}
