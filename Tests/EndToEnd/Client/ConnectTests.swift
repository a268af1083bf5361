import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "Connecting a domain", .enabled(if: Laptop.isPossible), .serialized, .timeLimit(.minutes(5))
    )
    struct ConnectTests {
        private static func connect(
            _ words: [String], to server: ServerProcess?, _ laptop: Laptop,
            password: String
        ) throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
            let address = server.map { ["--server", "http://127.0.0.1:\($0.port)"] } ?? []
            return try laptop.basket(
                ["connect"] + words + address + ["--account", "admin", "--password-stdin"],
                input: password + "\n")
        }

        @Test("gives the log-in back that it renews, at the server that the domain has")
        func renewal() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("echo kept >file", in: folder)
            try laptop.settle("Work")

            let again = try Self.connect(
                ["Work", "--device", "renewed"], to: nil, laptop, password: server.password)

            #expect(again.ending == .exit(0), "\(again.errors)")
            let devices = try server.caller().get("/v1/devices").json["devices"].array
            let names = devices.compactMap { $0["name"].string }
            #expect(!names.contains("laptop"))
            #expect(names.filter { $0 == "renewed" }.count == 1)
            try Laptop.shell("echo more >>file", in: folder)
            try laptop.settle("Work")
        }

        @Test("renews the log-in of a domain by the name that it has here, and leaves it that name")
        func renewalOfAnother() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let first = try Self.connect(
                ["Work", "--as", "Office", "--device", "laptop"], to: server, laptop,
                password: server.password)
            #expect(first.output.hasSuffix("/Office\n"), "\(first.errors)")

            let ways: [(words: [String], server: ServerProcess?)] = [
                (["Office"], nil), (["Work"], server),
            ]
            for (words, address) in ways {
                let again = try Self.connect(
                    words + ["--device", "renewed"], to: address, laptop,
                    password: server.password)
                #expect(again.output.hasSuffix("/Office\n"), "\(words): \(again.errors)")
            }

            #expect(try server.caller().get("/v1/domains/Office").status == 404)
            let devices = try server.caller().get("/v1/devices").json["devices"].array
            let names = devices.compactMap { $0["name"].string }
            #expect(names.filter { ["laptop", "renewed"].contains($0) } == ["renewed"])
            let other = try Self.connect(
                ["Home", "--as", "Office"], to: server, laptop, password: server.password)
            #expect(other.ending == .exit(11) && other.errors.contains("--as NAME"))
            #expect(try server.caller().get("/v1/domains/Home").status == 404)
            #expect(try server.caller().delete("/v1/domains/Work").status == 204)
            let gone = try Self.connect(
                ["Office"], to: nil, laptop, password: server.password)
            #expect(gone.ending == .exit(10), "\(gone.errors)")
        }

        @Test(
            "makes nothing on a server where its name is another server's here, and takes another one"
        )
        func takenName() throws {
            let servers = (try ServerProcess(), try ServerProcess())
            defer {
                servers.0.kill()
                servers.1.kill()
            }
            let laptop = try Laptop()
            _ = try laptop.connect("Work", to: servers.0)

            let refused = try Self.connect(
                ["Work"], to: servers.1, laptop, password: servers.1.password)
            #expect(refused.ending == .exit(11))
            #expect(refused.errors.contains("--as NAME"))
            #expect(try servers.1.caller().get("/v1/domains/Work").status == 404)

            let taken = try Self.connect(
                ["Work", "--as", "Office"], to: servers.1, laptop, password: servers.1.password)
            #expect(taken.ending == .exit(0), "\(taken.errors)")
            #expect(taken.output.hasSuffix("/Office\n"))
            #expect(try servers.1.caller().get("/v1/domains/Work").status == 200)
            #expect(try servers.1.caller().get("/v1/domains/Office").status == 404)
        }
    }
}
