import BasketBlobs
import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Many small contents in one answer: a folder of ten thousand costs a few dozen round trips.
enum ManyContents {
    static let endpoints: [Endpoint] = [
        Endpoint(.post, "/v1/domains/{domain}/contents/batch", fetch)
    ]

    /// Longer ones are fetched by themselves, where they go on after a break.
    static let longestContent = Int64(StagedContent.inlineLimit)
    /// All contents of one answer.
    static let longestAnswer: Int64 = 8 << 20
    /// So much is in memory at once, but for the last content of it.
    private static let step = 256 << 10

    /// A content that was found, or why there is none.
    private struct Found: Sendable {
        let head: [UInt8]
        var size: Int64 = 0
        /// Nil where the head says why there is none.
        var content: StoredContent?
    }

    static func fetch(_ call: Call) async throws -> HTTPResponse {
        let (request, _) = try await call.json(ContentsRequest.self)
        guard request.contents.count <= ContentsRequest.mostContents else {
            throw StoreError.badField(
                field: "contents", reason: "up to \(ContentsRequest.mostContents) at once")
        }
        // Who may not read here is told before the answer begins.
        _ = try call.read { _, domain in domain }
        // For as long as it takes whoever reads it: what was found, and the same as it is sent.
        try call.memory.take(2 * (step + Int(longestContent)))
        let stream = HTTPStream { output in
            var rest = request.contents[...]
            var room = longestAnswer
            while !rest.isEmpty {
                try await call.requireStillIn()
                let (wanted, left) = (rest, room)
                let found = try await call.readAtLength { db, domain in
                    try find(wanted, upTo: left, call, db, domain)
                }
                rest = rest.dropFirst(found.count)
                room -= found.reduce(0) { $0 + $1.size }
                try await output.write(frames(of: found, call))
            }
        }
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": ContentHead.mediaType, "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox",
            ],
            body: .stream(stream))
    }

    /// The first of those that are wanted: as many as are read in one step.
    private static func find(
        _ wanted: ArraySlice<ContentsRequest.Wanted>, upTo room: Int64, _ call: Call,
        _ db: Connection, _ domain: Domain
    ) throws -> [Found] {
        var all: [Found] = []
        var room = room
        var length = 0
        for wanted in wanted where length < step {
            let found: Found
            do {
                found = try look(up: wanted, upTo: room, call, db, domain)
            } catch let error as StoreError {
                found = refusal(Problem(error))
            } catch let problem as Problem {
                found = refusal(problem)
            } catch let error as SQLiteError where error.isAboutRows {
                // One row that makes no sense keeps no other one back.
                found = refusal(Problem(error, log: call.service.world.log))
            }
            all.append(found)
            room -= found.size
            // Heads count as well: items may bear long attributes.
            length += found.head.count + Int(found.size)
        }
        return all
    }

    private static func look(
        up wanted: ContentsRequest.Wanted, upTo room: Int64, _ call: Call, _ db: Connection,
        _ domain: Domain
    ) throws -> Found {
        let item = try db.item(wanted.item, in: domain)
        let delivery = try Contents.delivery(of: item, wanted.version, call, db)
        guard delivery.size <= longestContent else {
            throw Problem(
                413, "too_long_for_batch", "The content is too long to travel with others.",
                detail: "Fetch it by itself."
            ).with("limit", .number(longestContent)).with("size", .number(delivery.size))
        }
        guard delivery.size <= room else {
            throw Problem(
                413, "too_long_for_batch", "The contents are too long together.",
                detail: "Ask for the rest in another batch."
            ).with("limit", .number(longestAnswer)).with("size", .number(delivery.size))
        }
        let head = try head(of: item.id, delivery, db, domain)
        let content = try delivery.content.map { try db.storedContent($0) }
        return Found(head: head, size: delivery.size, content: content ?? .inline([]))
    }

    private static func head(
        of id: ItemID, _ delivery: ContentDelivery, _ db: Connection, _ domain: Domain
    ) throws -> [UInt8] {
        let json = ItemJSON(domain: domain, db: db)
        let locks = try db.locks(on: id, at: delivery.call.world.now())
        return try JSONWriter.document { writer in
            writer.key("item")
            try db.withItem(id) { row throws(SQLiteError) in
                try json.write(row, to: &writer, locks: locks)
            }
            writer.key("version")
            writer.string(delivery.version.description)
            writer.key("size")
            writer.number(delivery.size)
            if let hash = delivery.hash {
                writer.key("sha256")
                writer.string(hash.hex)
            }
        }
    }

    private static func refusal(_ problem: Problem) -> Found {
        Found(
            head: JSONWriter.document { writer in
                writer.key("problem")
                writer.object { problem.write(to: &$0, id: nil) }
            })
    }

    private static func frames(of found: [Found], _ call: Call) async throws -> [UInt8] {
        var frames: [UInt8] = []
        for entry in found {
            guard let content = entry.content else {
                frames += entry.head
                continue
            }
            do {
                let bytes = try await bytes(of: content, call)
                guard bytes.count == entry.size else {
                    throw SQLiteError("a content is not as long as its row says")
                }
                frames += entry.head
                frames += bytes
                frames.append(UInt8(ascii: "\n"))
            } catch {
                try Task.checkCancellation()
                // One that cannot be read keeps no other one back.
                let log = call.world.log.with("id", .text(call.request.id))
                frames += refusal(Problem(error, log: log)).head
            }
        }
        return frames
    }

    private static func bytes(of content: StoredContent, _ call: Call) async throws -> [UInt8] {
        switch content {
        case .inline(let bytes): return bytes
        case .extents(let extents):
            return try await call.service.aside {
                var bytes: [UInt8] = []
                for extent in extents {
                    let blob = try call.service.blobs.open(extent.place.blobID)
                    bytes += try blob.file.read(
                        at: extent.place.position, count: Int(extent.length))
                }
                return bytes
            }
        }
    }
}
