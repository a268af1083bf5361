import BasketBlobs
import BasketContent
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Sends a content: whole or in parts, or says that the client has it already.
struct ContentDelivery {
    let call: Call
    let content: Int64?
    let hash: ContentHash?
    let size: Int64
    let version: Version
    /// The content's own date, which is for people: its writer chose it, and another content may
    /// bear the same.
    let modified: Timestamp
    let name: String

    /// What a condition with a date is compared with. No date tells contents apart: not their own, and
    /// not when they were stored either, because an older file may be moved to the name of a newer
    /// one. So each counts as changed since any date: the content is sent, and a part of it is not
    /// taken for the rest of another. The tag does tell them apart.
    private static let changed = Timestamp(nanoseconds: .max)

    /// More blobs than these are not held open for one answer.
    private static let mostOpen = 64

    func response() async throws -> HTTPResponse {
        let etag = HTTPETag(version.description)
        let request = call.request
        let conditions = HTTPConditions(request.headers)
        switch conditions.verdict(etag: etag, modified: Self.changed, isRead: true) {
        case .failed:
            throw Problem(
                412, "precondition_failed", "The content is not the one that was asked for.")
        case .notModified:
            return HTTPResponse(status: 304, headers: commonHeaders(etag))
        case .proceed: break
        }
        let ranges = HTTPRangeRequest(request.headers, size: size, etag: etag)
        var headers = commonHeaders(etag)
        let type = MediaType.of(name)
        switch request.method == .head ? .whole : ranges {
        case .whole:
            headers["Content-Type"] = type
            if let hash { headers["Repr-Digest"] = Self.digest(hash) }
            return HTTPResponse(
                status: 200, headers: headers, body: .pieces(try await pieces(whole)))
        case .parts(let parts) where parts.count == 1:
            headers["Content-Type"] = type
            headers["Content-Range"] = parts[0].contentRange(of: size)
            return HTTPResponse(
                status: 206, headers: headers, body: .pieces(try await pieces(parts[0])))
        case .parts(let parts):
            let boundary = "basket-" + Hex.encode(call.world.randomBytes(16))
            var found: [HTTPByteRange: [HTTPPiece]] = [:]
            for part in parts { found[part] = try await pieces(part) }
            let multipart = MultipartByteRanges(
                parts, size: size, type: type, boundary: boundary
            ) { found[$0] ?? [] }
            headers["Content-Type"] = multipart.contentType
            return HTTPResponse(status: 206, headers: headers, body: .pieces(multipart.pieces))
        case .unsatisfiable:
            throw Problem(416, "range_not_satisfiable", "The content has nothing in this range.")
                .with("size", .number(size)).with(header: "Content-Range", "bytes */\(size)")
        }
    }

    private var whole: HTTPByteRange { HTTPByteRange(offset: 0, length: size) }

    private func pieces(_ range: HTTPByteRange) async throws -> [HTTPPiece] {
        guard let content, range.length > 0 else { return [] }
        let stored = try call.store.read {
            try $0.storedContent(content, from: range.offset, length: range.length)
        }
        switch stored {
        case .inline(let bytes): return [.bytes(bytes)]
        case .extents(let extents) where extents.count > Self.mostOpen:
            let (store, blobs) = (call.store, call.service.blobs)
            return ScatteredContent(extents, from: range.offset, blobs: blobs) { start, length in
                try store.read { try $0.storedContent(content, from: start, length: length) }
            }.pieces
        case .extents(let extents):
            return try extents.map { extent in
                let blob = try call.service.blobs.open(extent.place.blobID)
                return .file(blob.file, offset: extent.place.position, length: extent.length)
            }
        }
    }

    private func commonHeaders(_ etag: HTTPETag) -> HTTPHeaders {
        [
            "ETag": etag.description, "Last-Modified": modified.httpDate,
            "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache",
            // What people store here must not run as a page of this server.
            "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox",
        ]
    }

    static func digest(_ hash: ContentHash) -> String {
        "sha-256=:\(Base64.encode(hash.bytes, .standard)):"
    }
}
