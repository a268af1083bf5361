import BasketDatabase
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A command that is refused", .server, .timeLimit(.minutes(60)))
    struct RefusedCommandTests {
        private func run(
            _ arguments: [String]
        ) throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
            try ServerProgram.run(arguments + ["--data", try Stage.server.folder])
        }

        @Test(
            "names a domain's owner, and how to speak for it",
            arguments: [
                ("quota", ["change", "--quota", "none"]), ("trash", ["change", "--no-trash"]),
                ("anchors", ["reset-anchors"]), ("deletion", ["delete", "--yes"]),
            ])
        func notTheOwner(name: String, words: [String]) throws {
            let server = try Stage.server
            let ann = try server.member("ann-\(name)")
            try ann.makeDomain(name)
            try ann.expect(
                200,
                try ann.call("PUT", "/v1/domains/\(name)/members/admin", json: ["role": "writer"]))

            let refused = try run(["domain"] + words + [name])

            #expect(refused.ending == .exit(13))
            #expect(
                refused.errors == """
                    basket-server: ‘\(name)’ belongs to ‘ann-\(name)’; ‘admin’ is only a member.
                            Say --owner ann-\(name).

                    """, "\(refused.errors)")
            #expect(try ann.get("/v1/domains/\(name)").status == 200)
        }

        @Test("says what the owner calls a domain that a member knows by another name")
        func otherName() throws {
            let server = try Stage.server
            let bob = try server.member("bob")
            try bob.makeDomain("Target")
            try bob.expect(
                200,
                try bob.call("PUT", "/v1/domains/Target/members/admin", json: ["role": "writer"]))

            let refused = try run(["domain", "reset-anchors", "Target 2"])

            #expect(
                refused.errors.contains("Say --owner bob, who calls it ‘Target’."),
                "\(refused.errors)")
        }

        @Test("says that the trash is not empty")
        func trashNotEmpty() throws {
            let server = try Stage.server
            let caller = server.caller()
            try caller.makeDomain("Full")
            let id = try caller.putFile("a", [1], of: "Full")
            try caller.expect(
                200,
                try caller.call(
                    "PATCH", "/v1/domains/Full/items/\(id)", json: ["parent": "trash"]))

            let refused = try run(["domain", "change", "Full", "--no-trash"])

            #expect(refused.ending == .exit(11))
            #expect(refused.errors.contains("there are items in the trash"), "\(refused.errors)")
        }

        @Test(
            "says what is wrong with a domain's name",
            arguments: [
                ("a/b", "it holds ‘/’"), ("", "it is empty"), ("nul", "it is reserved"),
                ("end.", "it ends in a dot or a space"),
                (String(repeating: "x", count: 300), "it has more than 255 bytes"),
            ])
        func badName(name: String, reason: String) throws {
            let refused = try run(["domain", "add", name])

            #expect(refused.ending == .exit(2))
            #expect(
                refused.errors == "basket-server: this name cannot be: \(reason).\n",
                "\(refused.errors)")
        }

        @Test("shows no certificate whose key is another one's")
        func foreignKey() throws {
            let (one, other) = (try ServerProcess(), try ServerProcess())
            for server in [one, other] {
                let made = try ServerProgram.run(["tls", "--data", server.folder])
                #expect(made.ending == .exit(0), "\(made.errors)")
            }
            let words = ["--tls-certificate", one.folder + "/tls/certificate.pem", "--tls-key"]

            let refused = try ServerProgram.run(
                ["tls", "--data", one.folder] + words + [other.folder + "/tls/key.pem"])
            let shown = try ServerProgram.run(
                ["tls", "--data", one.folder] + words + [one.folder + "/tls/key.pem"])

            #expect(refused.ending == .exit(1))
            #expect(refused.output == "")
            #expect(
                refused.errors.contains("the key belongs to another certificate"),
                "\(refused.errors)")
            #expect(shown.ending == .exit(0), "\(shown.errors)")
        }

        @Test("mends nothing beside a running server, and says so when there is something to mend")
        func repair() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            try server.caller().makeDomain("Work")
            let whole = try ServerProgram.run(["check", "--repair", "--data", server.folder])
            #expect(whole.ending == .exit(0), "\(whole.output)\(whole.errors)")
            _ = try Connection(path: server.folder + "/basket.db", mode: .writer)
                .run("UPDATE domain SET items = 7")

            let refused = try ServerProgram.run(["check", "--repair", "--data", server.folder])
            let help = try ServerProgram.run(["check", "--help"]).output

            #expect(refused.ending == .exit(1))
            #expect(refused.output.contains("count: "), "\(refused.output)")
            #expect(refused.errors.contains("is using the data folder"), "\(refused.errors)")
            let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("Beside a running server --repair only checks"), "\(help)")
        }
    }
}
