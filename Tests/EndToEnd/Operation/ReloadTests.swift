import BasketSupport
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A server that is told to read its settings again", .timeLimit(.minutes(60)))
    struct ReloadTests {
        @Test("takes them up while its connections stay, and keeps the old ones when it cannot")
        func settings() throws {
            let folder = try TemporaryFolder()
            try folder.write("server.conf", "name = One\n")
            let server = try ServerProcess(["--config", folder.path + "/server.conf"])
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let stream = try WireClient(port: server.port)
            try stream.send(caller.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)
            _ = try stream.chunk()
            let name = { try caller.get("/v1/server").json["name"].string }
            #expect(try name() == "One")

            try folder.write(
                "server.conf", "name = Two\nlargest-file = 1MiB\ncommit-group = 7\n")
            server.process.signal(SIGHUP)

            #expect(try Patience.until { try name() == "Two" })
            let large = try caller.put(
                "/v1/domains/Work/files/large", [UInt8](repeating: 1, count: 2 << 20))
            #expect(large.code == "file_too_large")
            let warning = server.process.errors.line(with: "setting waits for a restart")
            #expect(warning?.contains("commit-group") == true, "\(warning ?? "nothing")")

            try folder.write("server.conf", "name = Three\nlargest-file = huge\n")
            server.process.signal(SIGHUP)

            let complaint = server.process.errors.line(with: "settings not taken up")
            #expect(complaint?.contains("largest-file") == true, "\(complaint ?? "nothing")")
            #expect(try name() == "Two")

            try folder.write("server.conf", "name = Four\n\nlargest-file\n")
            server.process.signal(SIGHUP)

            let flaw = server.process.errors.line(with: "server.conf:3: ")
            #expect(
                flaw?.contains("a line is a name, '=' and a value") == true, "\(flaw ?? "nothing")")
            #expect(try name() == "Two")
            _ = try caller.makeFolder("news", of: "Work")
            let event = String(decoding: try stream.chunk() ?? [], as: UTF8.self)
            #expect(event.contains("event: change"), "the stream is still open")
        }

        /// Another certificate, made as a server makes its own, in a folder that goes away.
        private static func makeCertificate(in folder: TemporaryFolder) throws {
            let refused = try ServerProgram.run(["tls", "--data", folder.path])
            #expect(refused.ending == .exit(1), "there is no server's data")
            let server = try ServerProcess(folder: folder.path)
            #expect(server.stop() == .exit(0))
            let made = try ServerProgram.run(["tls", "--data", folder.path])
            guard made.ending == .exit(0) else { throw Failure(made.errors) }
        }

        @Test("shows another certificate to who comes, and drops nobody who is there")
        func certificate() throws {
            // Made by a server without TLS: the clients of these tests speak none.
            let data = try ServerProcess()
            try data.caller().makeDomain("Work")
            let content = [UInt8](repeating: 5, count: 4 << 20)
            _ = try data.caller().putFile("large", content, of: "Work")
            #expect(data.stop() == .exit(0))
            let (old, new, used) = (
                try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()
            )
            try Self.makeCertificate(in: old)
            try Self.makeCertificate(in: new)
            let use = { (folder: TemporaryFolder) in
                for name in ["certificate.pem", "key.pem"] {
                    let bytes = try LinuxFileSystem().contents(of: "\(folder.path)/tls/\(name)")
                    try used.write(name, String(decoding: bytes, as: UTF8.self))
                }
            }
            try use(old)
            let process = try ChildProcess(
                ServerProgram.path,
                [
                    "serve", "--data", data.folder, "--listen", "127.0.0.1:0", "--tls", "always",
                    "--tls-certificate", used.path + "/certificate.pem",
                    "--tls-key", used.path + "/key.pem",
                ])
            let line = process.errors.line(with: " listens on https://") ?? ""
            let port = String(line.split(separator: ":").last ?? "")
            let curl = { (trusting: TemporaryFolder, path: String, options: [String]) in
                try ChildProcess(
                    "/usr/bin/env",
                    [
                        "curl", "-sS", "--cacert", trusting.path + "/tls/certificate.pem", "-o",
                        trusting.path + "/out", "-w",
                        "%{http_code} %{size_download} %{num_connects}",
                        "-H", "Authorization: Bearer \(data.token)",
                    ] + options + ["https://localhost:\(port)" + path])
            }
            let healthz = { try curl($0, "/healthz", []).wait() == .exit(0) }
            #expect(try healthz(old))
            #expect(try !healthz(new))

            let download = try curl(
                old, "/v1/domains/Work/files/large", ["--limit-rate", "2M"])
            let pause = Semaphore()
            _ = pause.wait(upTo: .milliseconds(500))
            try use(new)
            process.signal(SIGHUP)

            #expect(try Patience.until { try healthz(new) })
            #expect(try !healthz(old))
            #expect(download.wait() == .exit(0))
            #expect(download.output.text == "200 \(content.count) 1", "\(download.output.text)")

            try used.write("key.pem", "no key at all")
            process.signal(SIGHUP)
            #expect(process.errors.line(with: "settings not taken up") != nil)
            #expect(try healthz(new), "what cannot be used changes nothing")
            process.signal(SIGTERM)
            #expect(process.wait() == .exit(0))
        }
    }
}
