import BasketSupport
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite("An operator beside a running server", .server, .timeLimit(.minutes(60)))
    struct OperatorTests {
        private func run(_ arguments: String..., input: String = "") throws {
            let outcome = try ServerProgram.run(
                arguments + ["--data", try Stage.server.folder], input: input)
            guard outcome.ending == .exit(0) else { throw Failure(outcome.errors) }
        }

        @Test("makes, locks out and removes accounts, and the server knows")
        func accounts() throws {
            let server = try Stage.server
            try run("account", "add", "ann", "--password-stdin", input: "first password\n")
            let token = try ServerProcess.logIn(server.port, "first password", account: "ann")
            let ann = Caller(port: server.port, token: token)
            #expect(try ann.get("/v1/domains").status == 200)

            try run("account", "password", "ann", "--password-stdin", input: "second password\n")
            let old: JSON = ["account": "ann", "password": "first password", "device": "x"]
            #expect(
                try Patience.until {
                    try server.stranger().post("/v1/sessions", old).status == 401
                })
            let again = try ServerProcess.logIn(server.port, "second password", account: "ann")
            let other = Caller(port: server.port, token: again)

            try run("account", "change", "ann", "--disabled")
            #expect(try Patience.until { try other.get("/v1/domains").status == 401 })
            try run("account", "change", "ann", "--no-disabled")
            let back = try ServerProcess.logIn(server.port, "second password", account: "ann")

            try run("account", "remove", "ann")
            let gone = Caller(port: server.port, token: back)
            #expect(try Patience.until { try gone.get("/v1/domains").status == 401 })
        }

        @Test("leaves a trace where the machine has no log", .enabled(if: !SystemLog.isThere))
        func audit() throws {
            let folder = try Stage.server.folder
            let run = { (words: [String]) in
                try ServerProgram.run(words + ["--data", folder]).errors
            }
            let trace = { (action: String, subject: String) in
                "basket-server: \(action) '\(subject)' by uid \(getuid()) in \(folder)\n"
            }

            #expect(try run(["account", "add", "eve"]).hasSuffix(trace("account add", "eve")))
            let json = try run(["account", "password", "eve", "--json"])
            #expect(
                try JSON(Array(json.utf8)) == [
                    "audit": "account password", "subject": "eve",
                    "uid": .number(Double(getuid())), "folder": .string(folder),
                ], "\(json)")
            #expect(try run(["account", "remove", "eve"]) == trace("account remove", "eve"))
            #expect(try run(["domain", "add", "Gone"]) == trace("domain add", "Gone"))
            #expect(
                try run(["domain", "delete", "Gone", "--yes"]) == trace("domain delete", "Gone"))
            #expect(try run(["account", "list"]) == "", "nothing was changed")
            #expect(try !run(["account", "remove", "nobody"]).contains("by uid"))
        }

        @Test("makes, limits, resets and deletes domains, and the server knows")
        func domains() throws {
            let server = try Stage.server
            let caller = server.caller()
            let stream = try WireClient(port: server.port)
            try stream.send(caller.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)
            try run("domain", "add", "Home")
            _ = try caller.putFile("a", [1, 2, 3], of: "Home")

            try run("domain", "change", "Home", "--quota", "10")
            #expect(
                try caller.put("/v1/domains/Home/files/b", [UInt8](repeating: 1, count: 20)).code
                    == "insufficient_quota")

            let anchor = try caller.anchor(of: "Home")
            try run("domain", "reset-anchors", "Home")
            #expect(
                try caller.get("/v1/domains/Home/changes?since=\(anchor)").code == "anchor_expired")

            try run("domain", "delete", "Home", "--yes")
            #expect(try caller.get("/v1/domains/Home").status == 404)
            #expect(try caller.get("/v1/domains/Target").status == 200)
        }
    }
}
