import BasketContent
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// What everybody may know: that the server is there, what it can do, how it is.
enum ServerInformation {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/server", access: .open, show),
        Endpoint(.get, "/healthz", access: .open, alive),
        Endpoint(.get, "/readyz", access: .open, ready),
        Endpoint(.get, "/metrics", access: .open, metrics),
        Endpoint(.get, "/openapi.json", access: .open, description),
    ]

    static func show(_ call: Call) async throws -> HTTPResponse {
        let settings = call.service.settings
        return .json { writer in
            writer.key("name")
            writer.string(settings.name)
            writer.key("version")
            writer.string(settings.version)
            writer.key("api")
            writer.string("v1")
            writer.key("features")
            writer.array { writer in
                for feature in features { writer.string(feature) }
                if settings.allowsFaults { writer.string("faults") }
            }
            writer.key("limits")
            writer.object { writer in
                for (name, limit) in limits(settings) + limits(call.service.connectionLimits) {
                    writer.key(text: name)
                    writer.number(limit)
                }
            }
        }
    }

    private static let features = [
        "batch", "conflicts", "contents", "delta", "events", "locks", "ndjson", "ranges", "search",
        "thumbnails", "trash", "undelete", "versions", "wait",
    ]

    /// Every limit in force. Passing one is an error that names it.
    private static func limits(_ settings: ServiceSettings) -> [(String, Int64)] {
        [
            ("nameBytes", Int64(CaseRule.longestName)),
            ("fileBytes", settings.largestFile),
            ("inlineContentBytes", Int64(StagedContent.inlineLimit)),
            ("jsonBytes", Int64(Call.longestJSON)),
            ("creationBytes", Int64(Items.longestCreation)),
            ("manifestBytes", Int64(ManifestJSON.longest)),
            ("batchBytes", Int64(Batch.longestBody)),
            ("batchOperations", Int64(BatchRequest.mostOperations)),
            ("contentsAsked", Int64(ContentsRequest.mostContents)),
            ("contentsBytes", ManyContents.longestAnswer),
            ("contentsBytesEach", ManyContents.longestContent),
            ("childrenPage", Int64(Items.largestPage)),
            ("changesPage", Int64(Changes.largestPage)),
            ("searchPage", Int64(Search.largestPage)),
            ("searchOffset", Int64(Search.deepest)),
            ("ranges", Int64(HTTPRangeRequest.mostParts)),
            ("waitSeconds", Int64(Changes.longestWait)),
            ("chunkBytes", Int64(Manifest.maximumChunkLength)),
            ("chunkBytesLeast", Int64(Manifest.minimumChunkLength)),
            ("manifestChunks", Int64(Manifest.maximumChunkCount)),
            ("chunksAsked", Int64(Chunks.mostAsked)),
            ("thumbnailBytes", Int64(Thumbnail.longest)),
            ("xattrBytes", Int64(Transaction.longestAttribute)),
            ("xattrBytesTogether", Int64(Transaction.longestAttributes)),
            ("xattrs", Int64(Transaction.mostAttributes)),
            ("tags", Int64(Transaction.mostTags)),
            ("tagBytes", Int64(Transaction.longestTag)),
            ("symlinkBytes", Int64(Transaction.longestTarget)),
            ("lockSeconds", Transaction.longestLock.components.seconds),
            ("lockNoteBytes", Int64(Locks.longestNote)),
            ("domainsOwned", Int64(Transaction.mostDomains)),
            ("devices", Int64(Transaction.mostDevices)),
            ("passwordBytes", Int64(Authenticator.longestPassword)),
            ("passwordBytesLeast", Int64(Authenticator.shortestPassword)),
            ("idempotencyKeyBytes", Int64(Call.longestKey)),
            ("idempotencySeconds", Transaction.answersKept.components.seconds),
        ]
    }

    private static func limits(_ connections: HTTPLimits) -> [(String, Int64)] {
        [
            ("headerBytes", Int64(connections.headerBytes)),
            ("targetBytes", Int64(connections.targetBytes)),
            ("connections", Int64(connections.connections)),
            ("connectionsPerAddress", Int64(connections.connectionsPerAddress)),
            ("uploadBytesPerSecondLeast", Int64(connections.uploadBytesPerSecond)),
        ]
    }

    static func alive(_ call: Call) async throws -> HTTPResponse {
        .json { writer in
            writer.key("status")
            writer.string("alive")
        }
    }

    /// Whether the server can do its work: its database answers.
    static func ready(_ call: Call) async throws -> HTTPResponse {
        do {
            _ = try call.store.read { try $0.accountCount() }
        } catch {
            throw Problem(503, "not_ready", "The server is not ready.")
        }
        return .json { writer in
            writer.key("status")
            writer.string("ready")
        }
    }

    static func description(_ call: Call) async throws -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: .bytes(Array(OpenAPIDescription.json.utf8)))
    }

    /// Numbers for Prometheus: from this machine, or with the token that was set for it.
    static func metrics(_ call: Call) async throws -> HTTPResponse {
        // A proxy on this machine, of which nobody may have told us, brings strangers.
        let isBrought = ["Forwarded", "X-Forwarded-For"].contains {
            call.request.headers[$0] != nil
        }
        let isLocal =
            !isBrought && ["127.0.0.1", "::1"].contains(call.request.clientAddress)
        if let token = call.service.settings.metricsToken,
            let header = call.request.headers["Authorization"],
            case .token(let given)? = Credentials(header: header)
        {
            guard constantTimeEquals(Array(token.utf8), Array(given.utf8)) else {
                throw Problem(Authenticator.Refusal.wrongCredentials)
            }
        } else if !isLocal {
            throw Problem.notSignedIn
        }
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "text/plain; version=0.0.4"],
            body: .bytes(Array(try await Metrics(of: call.service).text.utf8)))
    }
}
