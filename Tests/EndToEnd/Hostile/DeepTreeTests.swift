import TestSupport
import Testing

extension EndToEnd {
    @Suite("A tree that is too deep to walk", .server, .serialized, .timeLimit(.minutes(60)))
    struct DeepTreeTests {
        /// How many folders one request makes, each in the one before it.
        private static let stretch = 5000
        private static let stretches = 20

        /// The topmost and the deepest folder.
        private static func dig(_ caller: Caller, in domain: String) throws -> (String, String) {
            let base = "/v1/domains/\(domain)/files/"
            let names = [String](repeating: "d", count: stretch).joined(separator: "/")
            let made = try caller.expect(201, try caller.put("\(base)\(names)/?parents=true", []))
            let children = try caller.get("/v1/domains/\(domain)/items/root/children").json["items"]
            let top = children.array.first { $0["name"] == "d" }
            guard let deepest = made["item"]["id"].string, let top = top?["id"].string else {
                throw Failure("no folder: \(made.text)")
            }
            return (top, deepest)
        }

        @Test("is made, listed, searched, moved and deleted, and nobody else waits for long")
        func deep() throws {
            let server = try Stage.server
            let caller = server.caller()
            try caller.makeDomain("Deep")
            // A hundred thousand levels: stretches of a few thousand, each moved into the last one.
            var (top, deepest) = try Self.dig(caller, in: "Deep")
            for index in 1..<Self.stretches {
                let moved = try caller.call(
                    "PATCH", "/v1/domains/Deep/items/\(top)", json: ["name": "top"])
                try caller.expect(200, moved)
                let (next, bottom) = try Self.dig(caller, in: "Deep")
                let put = try caller.call(
                    "PATCH", "/v1/domains/Deep/items/\(top)", json: ["parent": .string(bottom)])
                try caller.expect(200, put)
                if index == 1 { #expect(deepest != bottom) }
                top = next
            }

            let item = try caller.get("/v1/domains/Deep/items/\(deepest)")
            #expect(item.status == 200)
            let into = try caller.call(
                "PATCH", "/v1/domains/Deep/items/\(top)", json: ["parent": .string(deepest)])
            #expect(into.status == 409)
            #expect(into.code == "move_into_itself")
            let refused = try caller.delete("/v1/domains/Deep/items/\(top)")
            #expect(refused.status == 409)
            #expect(refused.code == "folder_not_empty")
            #expect(try caller.get("/v1/domains/Deep/search?q=d&limit=5").status == 200)
            let trashed = try caller.post("/v1/domains/Deep/items/\(top)/trash")
            try caller.expect(200, trashed)
            try caller.expect(200, try caller.post("/v1/domains/Deep/items/\(top)/restore"))

            let deleting = Meanwhile { [top] in
                let caller = server.caller()
                return try caller.delete("/v1/domains/Deep/items/\(top)?recursive=true").status
            }
            var slowest = Duration.zero
            for _ in 0..<200 {
                slowest = max(
                    slowest,
                    try Moment.measure {
                        try caller.expect(200, try caller.get("/v1/domains/Target/items/root"))
                    })
            }
            #expect(try deleting.result() == 204)
            #expect(slowest < .seconds(1), "somebody who read waited \(slowest)")
            let gone = try caller.get("/v1/domains/Deep/items/\(deepest)")
            #expect(gone.status == 404)
            let left = try caller.get("/v1/domains/Deep/items/root/children").json["items"]
            #expect(left.array.isEmpty)
        }

        @Test("reaches a client through the feed, each folder after its parent")
        func feed() throws {
            let caller = try Stage.server.caller()
            try caller.makeDomain("Followed")
            _ = try Self.dig(caller, in: "Followed")
            var known: Set<String> = ["root"]
            var anchor: String?
            var hasMore = true
            while hasMore {
                let query = "limit=2000" + (anchor.map { "&since=\($0)" } ?? "")
                let page = try caller.get("/v1/domains/Followed/changes?\(query)").json
                for item in page["items"].array {
                    guard let id = item["id"].string else { continue }
                    if let parent = item["parent"].string {
                        #expect(known.contains(parent), "\(item.text)")
                    }
                    known.insert(id)
                }
                anchor = page["anchor"].string
                hasMore = page["more"].bool ?? false
            }
            #expect(known.count == Self.stretch + 1)
        }
    }
}
