import BasketContent
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Two accounts", .server, .serialized, .timeLimit(.minutes(60)))
    struct TwoAccountsTests {
        private static let secret = [UInt8](repeating: 42, count: 300 << 10)

        /// An answer without what names the request and what was asked for.
        private static func shape(_ answer: WireAnswer, _ asked: String) -> String {
            "\(answer.status) "
                + answer.json.without("requestId").text.replacing(asked, with: "ASKED")
        }

        @Test("see nothing of each other: what is there looks like what never was")
        func strangers() throws {
            let server = try Stage.server
            let ann = try server.member("ann")
            let bob = try server.member("bob")
            try ann.makeDomain("Private")
            try bob.makeDomain("Own")
            let file = try ann.putFile("secret.bin", Self.secret, of: "Private")
            let folder = try ann.makeFolder("Hidden", of: "Private")
            let hash = ContentHash(of: Self.secret).hex
            let never = "1234567890ab"

            #expect(try bob.get("/v1/domains").json["domains"].array.count == 1)
            for rest in ["", "/items/root", "/changes", "/anchor", "/members", "/search?q=secret"] {
                let theirs = try bob.get("/v1/domains/Private\(rest)")
                let nobodys = try bob.get("/v1/domains/Nobodys\(rest)")
                #expect(theirs.status == 404)
                #expect(Self.shape(theirs, "Private") == Self.shape(nobodys, "Nobodys"), "\(rest)")
            }
            for id in [file, folder] {
                for (method, rest) in [
                    ("GET", ""), ("GET", "/content"), ("GET", "/manifest"), ("GET", "/versions"),
                    ("GET", "/children"), ("GET", "/thumbnail"), ("GET", "/lock"), ("DELETE", ""),
                    ("POST", "/trash"), ("POST", "/restore"),
                ] {
                    let theirs = try bob.call(method, "/v1/domains/Own/items/\(id)\(rest)")
                    let nobodys = try bob.call(method, "/v1/domains/Own/items/\(never)\(rest)")
                    #expect(theirs.status == 404, "\(method) \(rest)")
                    #expect(Self.shape(theirs, id) == Self.shape(nobodys, never), "\(rest)")
                }
            }
            let manifest: JSON = [
                "size": .number(Double(Self.secret.count)), "hash": .string(hash),
                "chunks": [["length": .number(Double(Self.secret.count)), "hash": .string(hash)]],
            ]
            for change: JSON in [
                ["name": "x", "kind": "file", "parent": .string(folder)],
                ["name": "y", "kind": "file", "manifest": manifest],
            ] {
                let answer = try bob.post("/v1/domains/Own/items", change)
                #expect([404, 409].contains(answer.status), "\(answer.text)")
            }
            let missing = try bob.post(
                "/v1/domains/Own/chunks/missing", ["hashes": [.string(hash)]])
            #expect(missing.json["missing"] == [.string(hash)])
            #expect(try bob.get("/v1/accounts").status == 403)
            let account = try bob.get("/v1/accounts/ann")
            let nobody = try bob.get("/v1/accounts/zoe")
            #expect(Self.shape(account, "ann") == Self.shape(nobody, "zoe"))
            let device = try #require(
                try ann.get("/v1/devices").json["devices"][0]["id"].string)
            #expect(try bob.delete("/v1/devices/\(device)").status == 404)
            #expect(try ann.get("/v1/domains").status == 200)
        }

        @Test("hear nothing of each other on their streams")
        func streams() throws {
            let server = try Stage.server
            let carl = try server.member("carl")
            let dora = try server.member("dora")
            try carl.makeDomain("Carls")
            try dora.makeDomain("Doras")
            let stream = try WireClient(port: server.port)
            try stream.send(dora.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)
            let greeting = String(decoding: try stream.chunk() ?? [], as: UTF8.self)
            #expect(greeting.contains("Doras") && !greeting.contains("Carls"))

            _ = try carl.makeFolder("one", of: "Carls")
            _ = try dora.makeFolder("two", of: "Doras")

            let told = String(decoding: try stream.chunk() ?? [], as: UTF8.self)
            #expect(told.contains("Doras") && !told.contains("Carls"), "\(told)")
        }

        @Test("with parts in one domain do what their parts allow, and no more")
        func roles() throws {
            let server = try Stage.server
            let owner = try server.member("olga")
            let reader = try server.member("rita")
            try owner.makeDomain("Shared")
            let file = try owner.putFile("file.bin", Self.secret, of: "Shared")
            let members = "/v1/domains/Shared/members"
            try owner.expect(
                200, try owner.call("PUT", members + "/rita", json: ["role": "reader"]))
            let before = try owner.anchor(of: "Shared")
            let item = "/v1/domains/Shared/items/\(file)"

            #expect(try reader.get("\(item)/content").body == Self.secret)
            for (method, path, json) in [
                ("POST", "/v1/domains/Shared/items", ["name": "x", "kind": "folder"]),
                ("PATCH", item, ["name": "x"]), ("POST", item + "/trash", [:]),
                ("PUT", members + "/rita", ["role": "owner"]),
                ("PATCH", "/v1/domains/Shared", ["quota": 5]),
                ("POST", "/v1/domains/Shared/anchor/reset", [:]),
                ("POST", "/v1/domains/Shared/chunks/missing", ["hashes": []]),
                ("POST", "/v1/domains/Shared/undelete", ["since": "2026-01-01T00:00:00Z"]),
            ] as [(String, String, JSON)] {
                let answer = try reader.call(method, path, json: json)
                #expect(answer.status == 403, "\(method) \(path): \(answer.text)")
                #expect(answer.code == "forbidden")
            }
            for (method, path) in [
                ("PUT", item + "/content"), ("PUT", "/v1/domains/Shared/files/new"),
                ("DELETE", item), ("DELETE", "/v1/domains/Shared/files/file.bin"),
                ("DELETE", "/v1/domains/Shared"), ("DELETE", members + "/olga"),
            ] {
                let answer = try reader.call(method, path, body: method == "PUT" ? [1] : nil)
                #expect(answer.status == 403, "\(method) \(path): \(answer.text)")
            }
            let batch = try reader.post(
                "/v1/domains/Shared/batch",
                ["operations": [["op": "delete", "item": .string(file)]]])
            #expect(batch.status == 403 || batch.json["results"][0]["status"].integer == 403)
            #expect(try owner.anchor(of: "Shared") == before)
            // What a member calls a domain is the member's own affair.
            try reader.expect(
                200, try reader.call("PATCH", "/v1/domains/Shared", json: ["name": "Mine"]))
            #expect(try owner.anchor(of: "Shared") == before)
            #expect(try reader.get("/v1/domains/Shared").status == 404)
        }

        @Test("part at once, also on streams and in waiting requests")
        func removal() throws {
            let server = try Stage.server
            let owner = try server.member("oscar")
            let guest = try server.member("gina")
            try owner.makeDomain("Party")
            let members = "/v1/domains/Party/members/gina"
            try owner.expect(200, try owner.call("PUT", members, json: ["role": "writer"]))
            let token = guest.token
            let anchor = try guest.anchor(of: "Party")
            let stream = try WireClient(port: server.port)
            try stream.send(guest.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)
            _ = try stream.chunk()
            let waiting = Meanwhile {
                try Caller(port: server.port, token: token)
                    .get("/v1/domains/Party/changes?since=\(anchor)&wait=20")
            }
            let writing = try WireClient(port: server.port)
            try writing.send(guest.head("PUT", "/v1/domains/Party/files/late", length: 10))
            try writing.send("hello")

            try owner.expect(204, try owner.delete(members))
            let refused = try guest.get("/v1/domains/Party/items/root")
            _ = try owner.makeFolder("secret plans", of: "Party")
            try writing.send("world")

            #expect(refused.status == 404)
            #expect(try writing.answer().status == 404)
            let told = try waiting.result()
            #expect(told.status == 404 || told.json["items"].array.isEmpty, "\(told.text)")
            let event = String(decoding: try stream.chunk() ?? [], as: UTF8.self)
            #expect(event.contains("event: domains") && !event.contains("Party"), "\(event)")
            #expect(try owner.get("/v1/domains/Party/files/late").status == 404)
        }

        @Test("are told apart by their passwords, and guessing is slowed down")
        func guessing() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            var codes: [Int] = []
            for guess in 0..<30 {
                let answer = try server.stranger().post(
                    "/v1/sessions",
                    ["account": "admin", "password": .string("guess \(guess)"), "device": "x"])
                codes.append(answer.status)
                if answer.status == 429 {
                    #expect(answer[header: "Retry-After"] != nil)
                    break
                }
            }
            #expect(codes.first == 401)
            #expect(codes.last == 429, "\(codes)")
            #expect(try server.caller().get("/v1/domains").status == 200)
        }

        @Test("that are locked out are out at once")
        func disabled() throws {
            let server = try Stage.server
            let eve = try server.member("eve")
            let admin = server.caller()
            let stream = try WireClient(port: server.port)
            try stream.send(eve.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)

            try admin.expect(
                200, try admin.call("PATCH", "/v1/accounts/eve", json: ["disabled": true]))

            #expect(try eve.get("/v1/domains").status == 401)
            while try stream.chunk() != nil {}  // Ends, or the time limit says that it does not.
        }
    }
}
