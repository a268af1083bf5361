import BasketContent
import BasketModels
import BasketSupport

// What files hold.
extension ServerConnection {
    /// From here on it is worth asking before a body is sent whether it is wanted.
    private static let askingLength: Int64 = 1 << 20
    /// How long a server may take to read a content that is there already, and to store it.
    static let storingTime = Duration.seconds(600)

    /// The same for a content of this length: more where that is more than a slow disk reads meanwhile.
    static func storingTime(of size: Int64) -> Duration {
        storingTime + .seconds(size / slowDisk)
    }

    /// What a slow disk reads in a second.
    private static let slowDisk: Int64 = 32 << 20
    private static let manifestType = "application/vnd.basket.manifest+json"

    // MARK: Reading

    /// Receives a content, or a part of it, in order. When the connection breaks, another one goes on
    /// where it broke, in the same version, even if there is a newer one by then.
    /// - Parameters:
    ///   - version: an earlier or conflicting one; else the present one.
    ///   - hash: what all of it must come to. The hash that the server tells is held to in any case.
    ///   - consumer: gets where in the content the bytes belong.
    package func receiveContent(
        of item: String, in domain: String, version: Version? = nil, range: Range<Int64>? = nil,
        expecting hash: ContentHash? = nil, begins: @escaping (Int64) -> Void = { _ in },
        consumer: (Int64, [UInt8]) async throws -> Void
    ) async throws(ConnectionError) -> ReceivedContent {
        guard range.map({ $0.lowerBound >= 0 && !$0.isEmpty }) ?? true else {
            throw .badAnswer("an empty part of a content cannot be asked for")
        }
        let receiver = ContentReceiver(version: version, range: range, begins: begins)
        return try await retrying(
            APICall("GET", []), progress: { receiver.position },
            { () async throws -> ReceivedContent in
                if !receiver.isComplete {
                    try await self.receiveRest(receiver, item, domain, consumer)
                }
                return try receiver.finish(expecting: hash)
            })
    }

    private func receiveRest(
        _ receiver: ContentReceiver, _ item: String, _ domain: String,
        _ consumer: (Int64, [UInt8]) async throws -> Void
    ) async throws {
        let version = receiver.version?.description
        var call = APICall(
            "GET", items(domain, item, "content"), query: [("version", version)])
        call.takesCompressed = false
        call.isLong = true
        if let range = receiver.rangeHeader {
            call = call.with("Range", range)
            if let version { call = call.with("If-Range", "\"\(version)\"") }
        }
        receiver.beginConnection()
        let head = try await exchange(call) { head, bytes in
            try receiver.check(head)
            let position = receiver.position
            try receiver.take(bytes)
            try await consumer(position, bytes)
        }
        try receiver.check(head)  // An empty content brings no bytes with it.
    }

    /// Receives a content, or a part of it, into a file: byte 0 of the content lies at `offset`.
    /// - Parameters:
    ///   - begins: told the content's size, before any of it arrives, where the server says it beforehand.
    ///   - arrived: told up to where in the content the file holds it.
    package func download(
        _ item: String, in domain: String, version: Version? = nil, range: Range<Int64>? = nil,
        expecting hash: ContentHash? = nil, into file: any File, at offset: Int64 = 0,
        begins: @escaping (Int64) -> Void = { _ in },
        arrived: (Int64) async -> Void = { _ in }
    ) async throws(ConnectionError) -> ReceivedContent {
        try await receiveContent(
            of: item, in: domain, version: version, range: range, expecting: hash, begins: begins
        ) { position, bytes in
            try file.write(bytes, at: offset + position)
            await arrived(position + Int64(bytes.count))
        }
    }

    package func manifest(
        of item: String, in domain: String, version: Version? = nil
    ) async throws(ConnectionError) -> ManifestAnswer {
        try await value(
            APICall(
                "GET", items(domain, item, "manifest"), query: [("version", version?.description)]))
    }

    /// The chunks in which a part of a content lies.
    package func chunks(
        of item: String, in domain: String, version: Version? = nil, part: Range<Int64>
    ) async throws(ConnectionError) -> ChunksAnswer {
        try await value(
            APICall(
                "GET", items(domain, item, "chunks"),
                query: [
                    ("version", version?.description), ("from", "\(part.lowerBound)"),
                    ("to", "\(part.upperBound)"),
                ]))
    }

    // MARK: Writing

    /// What the writer of a content had seen, and what happens when something else is there.
    package enum Base: Sendable, Equatable {
        /// Whatever is there becomes an earlier version.
        case any
        /// Another one refuses.
        case version(Version)
        /// With another one, what is sent becomes a conflict version.
        case versionOrKeep(Version)
    }

    /// Sends a whole content.
    /// - Parameters:
    ///   - sent: when this device sent it, later than all before it: the server knows by that which is the newer one.
    ///   - hash: what it must come to, so that other bytes are refused.
    package func putContent(
        _ body: TransportBody, of item: String, in domain: String, base: Base,
        modified: Timestamp? = nil, sent: Timestamp? = nil, hash: ContentHash? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ConnectionError) -> ContentAnswer {
        var call = content(item, domain, base, modified: modified, sent: sent)
            .with("Content-Type", "application/octet-stream")
        if let hash { call = call.with("X-Content-SHA256", hash.hex) }
        call.body = body
        call.asksBeforeSending = body.length >= Self.askingLength
        // What is small is stored at once, wherever that is.
        if body.length >= Self.askingLength {
            call.timeouts = TransportTimeouts(firstByte: Self.storingTime)
        }
        call.progress = progress
        return try await value(call)
    }

    /// Makes a content of chunks that the server has.
    package func putContent(
        from manifest: Manifest, of item: String, in domain: String, base: Base,
        modified: Timestamp? = nil, sent: Timestamp? = nil
    ) async throws(ConnectionError) -> ContentAnswer {
        var call = try content(item, domain, base, modified: nil, sent: sent).json(
            ContentFromManifestRequest(manifest: manifest, modified: modified),
            type: Self.manifestType)
        call.timeouts = TransportTimeouts(firstByte: Self.storingTime(of: manifest.size))
        return try await value(call)
    }

    private func content(
        _ item: String, _ domain: String, _ base: Base, modified: Timestamp?, sent: Timestamp?
    ) -> APICall {
        let keeps = if case .versionOrKeep = base { true } else { false }
        let call = APICall(
            "PUT", items(domain, item, "content"),
            query: [
                ("onConflict", keeps ? "keep" : nil), ("modified", modified?.rfc3339),
                ("sent", sent?.rfc3339),
            ])
        switch base {
        case .any: return call
        case .version(let version), .versionOrKeep(let version):
            return call.with("If-Match", "\"\(version)\"")
        }
    }

    // MARK: Chunks

    /// Which of these the domain does not have, each once, in the order asked; up to 10,000 at once.
    package func missingChunks(
        _ hashes: [ContentHash], in domain: String
    ) async throws(ConnectionError) -> [ContentHash] {
        struct Answer: Decodable { var missing: [ContentHash] }
        return try await value(
            Answer.self,
            APICall("POST", ["v1", "domains", domain, "chunks", "missing"])
                .json(MissingChunksRequest(hashes: hashes))
        ).missing
    }

    package func putChunk(
        _ body: TransportBody, hash: ContentHash, in domain: String,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ConnectionError) {
        var call = APICall("PUT", ["v1", "domains", domain, "chunks", hash.hex])
            .with("Content-Type", "application/octet-stream")
        call.body = body
        call.progress = progress
        try await done(call)
    }
}
