import BasketSupport
import Testing

@Suite("The trash")
struct TrashTests {
    @Test("keeps what it is given, and gives it back to where it was")
    func roundTrip() async throws {
        let server = try await TestServer()
        let file = try await server.file("d/a.txt")

        let trashed = try await server.post(TestServer.path(file) + "/trash")
        let restored = try await server.post(TestServer.path(file) + "/restore")

        #expect(trashed.item["parent"] == "trash")
        #expect(trashed.item["trashedFrom"] == file["parent"])
        #expect(!trashed.item["trashed"].isNull)
        #expect(restored.item["parent"] == file["parent"])
        #expect(restored.item["trashed"].isNull)
        #expect(restored.item["trashedFrom"].isNull)
        #expect(try await server.names(in: "trash") == [])
    }

    @Test("gives back to the root when the folder is gone, and to wherever one wants")
    func otherPlaces() async throws {
        let server = try await TestServer()
        let first = try await server.file("d/a.txt")
        let second = try await server.file("d/b.txt")
        let other = try await server.folder("other")
        for file in [first, second] { try await server.post(TestServer.path(file) + "/trash") }
        try await server.delete(TestServer.path(first["parent"].text))

        let home = try await server.post(TestServer.path(first) + "/restore")
        let away = try await server.post(
            TestServer.path(second) + "/restore", ["parent": other["id"], "name": "c.txt"])

        #expect(home.item["parent"] == "root")
        #expect(away.item["parent"] == other["id"])
        #expect(away.item["name"] == "c.txt")
    }

    @Test("gives back under the next free name when the name is taken")
    func bounced() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        try await server.post(TestServer.path(file) + "/trash")
        try await server.file("a.txt", "another")

        let restored = try await server.post(TestServer.path(file) + "/restore")

        #expect(restored.item["name"] == "a 2.txt")
    }

    @Test("holds many of one name")
    func sameNames() async throws {
        let server = try await TestServer()
        for _ in 0..<3 {
            let file = try await server.file("a.txt")
            try await server.post(TestServer.path(file) + "/trash")
        }

        #expect(try await server.names(in: "trash") == ["a.txt", "a.txt", "a.txt"])
    }

    @Test("refuses what has another content than the one that was seen")
    func base() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        let new = try await server.file("a.txt", "new")

        let answer = try await server.post(
            TestServer.path(old) + "/trash", ["base": old["contentVersion"]])

        #expect(answer.status == 412)
        #expect(answer.code == "stale_content")
        #expect(answer.item == new)
    }

    @Test("gives back only what it has")
    func notInTrash() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        #expect(try await server.post(TestServer.path(file) + "/restore").code == "not_in_trash")
        #expect(try await server.post(TestServer.path("root") + "/trash").code == "permanent_item")
        let tagged = try await server.patch(TestServer.path("trash"), ["tags": ["mine"]])
        #expect(tagged.status == 409 && tagged.code == "permanent_item")
    }

    @Test("may not be there")
    func disabled() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        try await server.post(TestServer.path(file) + "/trash")
        let full = try await server.patch("/v1/domains/Work", ["trash": false])
        #expect(full.status == 409 && full.code == "trash_not_empty")
        let toTrash = try await server.post(
            TestServer.path(file) + "/restore", ["parent": "trash"])
        #expect(toTrash.status == 422 && toTrash.code == "bad_field")
        try await server.post(TestServer.path(file) + "/restore")
        try await server.patch("/v1/domains/Work", ["trash": false])

        #expect(try await server.post(TestServer.path(file) + "/trash").code == "trash_disabled")
        #expect(try await server.get(TestServer.path("trash")).code == "no_such_item")
    }
}

@Suite("Undeleting")
struct UndeleteTests {
    @Test("brings everything back that was deleted since a moment")
    func everything() async throws {
        let server = try await TestServer()
        try await server.file("early.txt")
        try await server.file("d/e/late.txt", "precious")
        try await server.delete("/v1/domains/Work/files/early.txt")
        server.clock.advance(.seconds(60))
        let since = server.clock.now.rfc3339
        try await server.delete("/v1/domains/Work/files/d?recursive=true")

        let answer = try await server.post("/v1/domains/Work/undelete", ["since": .string(since)])

        #expect(answer["restored"] == 3)
        #expect(try await server.names() == ["d"])
        let content = try await server.get("/v1/domains/Work/files/d/e/late.txt")
        #expect(content.text == "precious")
        #expect(try await server.get("/v1/domains/Work")["items"] == 3)
    }

    @Test("can be of one device, or of one account")
    func whose() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")
        let device = try await server.get("/v1/devices", as: phone)["devices"][0]["id"]
        for (name, caller) in [("desk", .admin), ("phone", phone), ("ada", ada)] {
            try await server.file(name)
            try await server.delete("/v1/domains/Work/files/\(name)", as: caller)
        }
        let since: JSON = "2026-01-01T00:00:00Z"

        try await server.post(
            "/v1/domains/Work/undelete", ["since": since, "device": device])
        #expect(try await server.names() == ["phone"])
        try await server.post(
            "/v1/domains/Work/undelete", ["since": since, "account": "ada"])
        #expect(try await server.names() == ["ada", "phone"])
    }

    @Test("needs to be told since when")
    func badFields() async throws {
        let server = try await TestServer()

        let none = try await server.post("/v1/domains/Work/undelete", [:])
        let bad = try await server.post("/v1/domains/Work/undelete", ["since": "monday"])
        let nobody = try await server.post(
            "/v1/domains/Work/undelete", ["since": "2026-01-01T00:00:00Z", "account": "nobody"])

        #expect(none["field"] == "since")
        #expect(bad["field"] == "since")
        #expect(nobody.code == "no_such_account")
    }

    @Test("knows a device that was lost, but none that never was")
    func lostDevice() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let device = try await server.get("/v1/devices", as: phone)["devices"][0]["id"]
        try await server.file("a.txt")
        try await server.delete("/v1/domains/Work/files/a.txt", as: phone)
        try await server.delete("/v1/devices/\(device.text)")
        let since: JSON = "2026-01-01T00:00:00Z"

        let unknown = try await server.post(
            "/v1/domains/Work/undelete", ["since": since, "device": "1xc5ysc7z9b4"])
        let known = try await server.post(
            "/v1/domains/Work/undelete", ["since": since, "device": device])

        #expect(unknown.status == 404)
        #expect(unknown.code == "no_such_device")
        #expect(known["restored"] == 1)
    }
}
