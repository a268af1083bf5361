import BasketContent
import TestSupport
import Testing

extension EndToEnd {
    /// What a new user does on the first evening, with nothing but curl.
    @Suite("An evening with the server", .server, .serialized, .timeLimit(.minutes(60)))
    struct EveningTests {
        private static let photo = [UInt8](repeating: 7, count: 300_000) + Array("the end".utf8)

        @Test("logs in, keeps a photo, and finds it by its name and in ranges")
        func photo() throws {
            let server = try Stage.server
            let caller = server.stranger()
            caller.token = try ServerProcess.logIn(server.port, server.password, device: "laptop")
            try caller.makeDomain("Work")
            let folder = try caller.makeFolder("Photos", of: "Work")

            let put = try caller.put("/v1/domains/Work/files/Photos/photo.jpg", Self.photo)
            #expect(put.status == 201)
            #expect(put.json["item"]["sha256"].string == ContentHash(of: Self.photo).hex)
            let id = try #require(put.json["item"]["id"].string)

            let list = try caller.get("/v1/domains/Work/items/\(folder)/children").json
            #expect(list["items"].array.map { $0["name"].string } == ["photo.jpg"])

            let renamed = try caller.call(
                "PATCH", "/v1/domains/Work/items/\(id)", json: ["name": "harbour.jpg"])
            #expect(renamed.status == 200)
            #expect(renamed.json["item"]["name"] == "harbour.jpg")

            let part = try caller.get(
                "/v1/domains/Work/files/Photos/harbour.jpg", ["Range": "bytes=-7"])
            #expect(part.status == 206)
            #expect(part.text == "the end")
            #expect(part[header: "Content-Range"] == "bytes 300000-300006/300007")
            #expect(part[header: "Content-Type"] == "image/jpeg")
        }

        @Test("tells who waits for changes what another connection writes")
        func waiting() throws {
            let server = try Stage.server
            let caller = server.caller()
            try caller.makeDomain("Watched")
            let anchor = try caller.anchor(of: "Watched")

            let waiting = Meanwhile {
                try server.caller().get("/v1/domains/Watched/changes?since=\(anchor)&wait=30")
            }
            let id = try caller.putFile("news.txt", Array("news".utf8), of: "Watched")
            let changes = try waiting.result().json

            #expect(changes["items"].array.contains { $0["id"].string == id })
            #expect(changes["anchor"].string != anchor)
            #expect(changes["more"] == false)
        }

        @Test("keeps both contents of a conflict, and brings back either")
        func conflict() throws {
            let server = try Stage.server
            let caller = server.caller()
            try caller.makeDomain("Both")
            let id = try caller.putFile("plan.txt", Array("first".utf8), of: "Both")
            let content = "/v1/domains/Both/items/\(id)/content"
            let base = try #require(try caller.get(content)[header: "ETag"])

            let mine = try caller.put(content, Array("mine".utf8), ["If-Match": base])
            let refused = try caller.put(content, Array("yours".utf8), ["If-Match": base + "x"])
            let stranger = server.stranger()
            stranger.token = try ServerProcess.logIn(server.port, server.password, device: "phone")
            let late = try stranger.put(
                content + "?onConflict=keep", Array("yours".utf8), ["If-Match": base])

            #expect(mine.status == 200)
            #expect(refused.status >= 400)
            #expect(late.status == 200)
            let kept = try #require(late.json["conflict"].string)
            let versions = try caller.get("/v1/domains/Both/items/\(id)/versions").json["versions"]
            #expect(
                Set(versions.array.compactMap { $0["standing"].string }).isSuperset(
                    of: ["current", "conflict"]))
            #expect(versions.array.contains { $0["device"] == "phone" })
            #expect(try caller.get(content).text == "mine")
            #expect(try caller.get(content + "?version=\(kept)").text == "yours")

            let back = try caller.post("/v1/domains/Both/items/\(id)/versions/\(kept)/restore")
            #expect(back.status == 200)
            #expect(try caller.get(content).text == "yours")
        }

        @Test("puts a folder into the trash and gets it back where it was")
        func trash() throws {
            let caller = try Stage.server.caller()
            try caller.makeDomain("Bin")
            let folder = try caller.makeFolder("Letters", of: "Bin")
            _ = try caller.putFile("Letters/one.txt", Array("one".utf8), of: "Bin")

            try caller.expect(200, try caller.post("/v1/domains/Bin/items/\(folder)/trash"))
            let gone = try caller.get("/v1/domains/Bin/files/Letters/one.txt")
            let trash = try caller.get("/v1/domains/Bin/items/trash/children").json["items"]
            try caller.expect(200, try caller.post("/v1/domains/Bin/items/\(folder)/restore"))

            #expect(gone.status == 404)
            #expect(trash.array.map { $0["name"].string } == ["Letters"])
            #expect(try caller.get("/v1/domains/Bin/files/Letters/one.txt").text == "one")
        }

        @Test("takes a lost device's token away at once, and ends its stream")
        func revocation() throws {
            let server = try Stage.server
            let owner = server.caller()
            let token = try ServerProcess.logIn(server.port, server.password, device: "lost phone")
            let lost = Caller(port: server.port, token: token)
            let stream = try WireClient(port: server.port)
            try stream.send(lost.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)
            _ = try stream.chunk()
            let devices = try owner.get("/v1/devices").json["devices"].array
            let id = try #require(devices.first { $0["name"] == "lost phone" }?["id"].string)

            let revoked = try owner.delete("/v1/devices/\(id)")
            let refused = try lost.get("/v1/domains")

            #expect(revoked.status == 204)
            #expect(refused.status == 401)
            #expect(refused.code == "wrong_credentials")
            while try stream.chunk() != nil {}  // Ends, or the time limit says that it does not.
        }

        @Test("gives the same tree after a restart")
        func restart() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Kept")
            let id = try caller.putFile("photo.jpg", Self.photo, of: "Kept")
            let before = try caller.get("/v1/domains/Kept/items/\(id)").json

            #expect(server.stop() == .exit(0))
            try server.restart()

            let after = server.caller()
            #expect(try after.get("/v1/domains/Kept/items/\(id)").json == before)
            #expect(try after.get("/v1/domains/Kept/files/photo.jpg").body == Self.photo)
        }
    }
}
