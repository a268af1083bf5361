import BasketDatabase
import Testing

extension EndToEnd {
    @Suite("A server that is left alone", .timeLimit(.minutes(60)))
    struct HousekeepingTests {
        @Test("reads what was written into the search index, before anybody searches")
        func index() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            _ = try caller.putFile("sunset-over-the-lake.txt", [1], of: "Work")

            let isFound = try Patience.until(upTo: .seconds(30)) {
                let db = try Connection(path: server.folder + "/basket.db", mode: .reader)
                let found: Int? = try db.value(
                    "SELECT count(*) FROM search WHERE search MATCH 'lake'")
                return found == 1
            }
            #expect(isFound)
            #expect(try caller.get("/v1/domains/Work/search?q=sunset").json["items"][0] != .null)
        }

        @Test("collects what nobody needs any more")
        func collection() throws {
            let server = try ServerProcess(["--collect-every", "100ms", "--keep-trash", "1s"])
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            _ = try caller.putFile("old", [1], of: "Work")
            try caller.expect(
                204, try caller.call("DELETE", "/v1/domains/Work/files/old?trash=true"))
            let isEmpty = try Patience.until(upTo: .seconds(30)) {
                try caller.get("/v1/domains/Work").json["items"].integer == 0
            }
            #expect(isEmpty)
        }
    }
}
