import BasketContent
import BasketHTTP
import BasketModels
import BasketStore

/// Delta upload: which chunks are missing, and sending those.
enum Chunks {
    static let endpoints: [Endpoint] = [
        Endpoint(.post, "/v1/domains/{domain}/chunks/missing", missing),
        Endpoint(.put, "/v1/domains/{domain}/chunks/{hash}", receive),
    ]

    /// How many may be asked for at once, and how many a refusal names.
    static let mostAsked = 10_000

    static func missing(_ call: Call) async throws -> HTTPResponse {
        let (request, _) = try await call.json(MissingChunksRequest.self)
        guard request.hashes.count <= mostAsked else {
            throw StoreError.badField(field: "hashes", reason: "up to \(mostAsked) at once")
        }
        let domain = try call.read { _, domain in domain }
        try domain.require(.writer)
        let intake = ContentIntake(call: call, domain: domain)
        return try await call.service.aside {
            var asked: Set<ContentHash> = []
            let missing = try request.hashes.filter { hash in
                try asked.insert(hash).inserted && !intake.knows(hash)
            }
            return .json { writer in
                writer.key("missing")
                writer.array { writer in
                    for hash in missing { writer.string(hash.hex) }
                }
            }
        }
    }

    /// Sending a chunk twice is sending it once.
    static func receive(_ call: Call) async throws -> HTTPResponse {
        guard let hash = ContentHash(hex: call["hash"]) else {
            throw Problem.badParameter("hash", "64 hexadecimal digits")
        }
        let domain = try call.read { _, domain in domain }
        try domain.require(.writer)
        let intake = ContentIntake(call: call, domain: domain)
        let (chunk, blobSize) = try await call.service.aside { try await intake.receiveChunk(hash) }
        try await call.store.write(as: call.identity) { transaction in
            let domain = try transaction.db.domain(call["domain"], for: call.identity)
            try domain.require(.writer)
            try transaction.stage(chunk, blobSize: blobSize, in: domain)
        }
        return .empty
    }
}
