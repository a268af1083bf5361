import BasketHTTP
import BasketSupport
import Glibc
import TestSupport
import Testing

@Suite("TLS", .timeLimit(.minutes(60)))
struct TLSTests {
    private static let now = LiveTime.now

    /// curl's output for one request, or its exit status.
    private static func curl(_ identity: TLSIdentity, _ server: HTTPServer, _ arguments: [String])
        throws -> String
    {
        let files = LinuxFileSystem()
        let path = "/tmp/basket-http-test-\(SystemRandomNumberGenerator.number)"
        try files.replace(path, with: identity.certificatePEM)
        defer { try? files.remove(path) }
        let url = "https://nas.test:\(server.port)/"
        return try run(
            ["curl", "-sS", "--cacert", path, "--resolve", "nas.test:\(server.port):127.0.0.1"]
                + arguments + [url])
    }

    @Test(
        "is for the names and addresses that it was made for, and for no others",
        arguments: [
            ("nas.test", true), ("NAS.test", true), ("*.home.test", true), ("tv.home.test", true),
            ("192.0.2.1", true), ("2001:db8::1", true), ("2001:0db8:0::1", true),
            ("other.test", false), ("home.test", false), ("a.b.home.test", false),
            ("192.0.2.2", false), ("*.nas.test", false), ("", false), ("no name", false),
        ])
    func names(name: String, isIn: Bool) throws {
        let identity = try TLSIdentity.selfSigned(
            names: ["nas.test", "*.home.test", "192.0.2.1", "2001:db8::1"], now: Self.now)

        #expect(identity.isFor(name) == isIn)
    }

    @Test("serves with a certificate of its own making, to clients who know it")
    func serves() async throws {
        let identity = try TLSIdentity.selfSigned(
            names: ["nas.test", "127.0.0.1", "::1"], now: Self.now)
        let body = String(repeating: "hello ", count: 50_000)
        try await withServer(
            tls: identity,
            answer: Answering { request in
                _ = try? await request.body.collect(upTo: 1 << 20)
                return .text("\(request.isSecure) \(body)")
            }
        ) { server in
            try await client {
                let newest = try Self.curl(identity, server, [])
                let older = try Self.curl(identity, server, ["--tlsv1.2", "--tls-max", "1.2"])
                let upload = try Self.curl(identity, server, ["-d", String(body.prefix(60_000))])
                let oldest = try Self.curl(identity, server, ["--tls-max", "1.1"])
                #expect(newest == "true \(body)" && older == newest && upload == newest)
                #expect(oldest.hasPrefix("exit"))
            }
        }
    }

    @Test("is refused by clients who know another certificate")
    func unknown() async throws {
        let identity = try TLSIdentity.selfSigned(names: ["nas.test"], now: Self.now)
        let other = try TLSIdentity.selfSigned(names: ["nas.test"], now: Self.now)
        #expect(identity.fingerprint != other.fingerprint)
        try await withServer(tls: identity, answer: Answering { _ in .text("hello") }) { server in
            let answer = try await client { try Self.curl(other, server, []) }
            #expect(answer.hasPrefix("exit"))
        }
    }

    @Test("takes another certificate while it serves")
    func replaced() async throws {
        let old = try TLSIdentity.selfSigned(names: ["nas.test"], now: Self.now)
        let new = try TLSIdentity.selfSigned(names: ["nas.test"], now: Self.now)
        try await withServer(tls: old, answer: Answering { _ in .text("hello") }) { server in
            try await client {
                let before = try (Self.curl(old, server, []), Self.curl(new, server, []))
                try server.replace(tls: new)
                let after = try (Self.curl(old, server, []), Self.curl(new, server, []))
                #expect(before.0 == "hello" && before.1.hasPrefix("exit"))
                #expect(after.0.hasPrefix("exit") && after.1 == "hello")
            }
        }
    }

    @Test("tells a client in the middle of an upload that it is refused")
    func refusedEarly() async throws {
        let identity = try TLSIdentity.selfSigned(names: ["nas.test"], now: Self.now)
        let files = LinuxFileSystem()
        let path = "/tmp/basket-http-test-\(SystemRandomNumberGenerator.number)"
        try files.replace(path, with: [UInt8](repeating: 1, count: 20 << 20))
        defer { try? files.remove(path) }
        try await withServer(
            tls: identity,
            answer: Answering { request in
                _ = try? await request.body.next()
                return .text("full", status: 507)
            }
        ) { server in
            let answer = try await client {
                try Self.curl(
                    identity, server, ["-T", path, "-w", " %{http_code}", "-H", "Expect:"])
            }
            // curl may complain that it could not send the rest, after the answer.
            #expect(answer.contains("full 507"))
        }
    }

    @Test("sends files and streams")
    func bodies() async throws {
        let identity = try TLSIdentity.selfSigned(names: ["nas.test"], now: Self.now)
        let files = LinuxFileSystem()
        let path = "/tmp/basket-http-test-\(SystemRandomNumberGenerator.number)"
        let content = Array(String(repeating: "0123456789", count: 100_000).utf8)
        let file = try files.create(path)
        try files.remove(path)
        try file.write(content, at: 0)
        for isStream in [false, true] {
            try await withServer(
                tls: identity,
                answer: Answering { _ in
                    isStream
                        ? HTTPResponse(
                            status: 200, body: .stream(HTTPStream { try await $0.write(content) }))
                        : HTTPResponse(
                            status: 200, body: .pieces([.file(file, offset: 10, length: 999_990)]))
                }
            ) { server in
                try await client {
                    let got = try Self.curl(identity, server, [])
                    #expect(Array(got.utf8) == Array(content.dropFirst(isStream ? 0 : 10)))
                }
            }
        }
    }

    @Test("needs a certificate and its own key")
    func mismatch() throws {
        let one = try TLSIdentity.selfSigned(names: ["a"], now: Self.now)
        let two = try TLSIdentity.selfSigned(names: ["a"], now: Self.now)
        let garbage = Array("-----BEGIN CERTIFICATE-----\nnonsense\n".utf8)
        for identity in [
            TLSIdentity(certificatePEM: one.certificatePEM, keyPEM: two.keyPEM),
            TLSIdentity(certificatePEM: garbage, keyPEM: one.keyPEM),
            TLSIdentity(certificatePEM: one.certificatePEM, keyPEM: garbage),
            TLSIdentity(certificatePEM: [], keyPEM: []),
        ] {
            #expect(throws: HTTPServerError.self) {
                try HTTPServer(
                    configuration: HTTPServerConfiguration(
                        listener: .address(ListeningAddress(host: "127.0.0.1", port: 0)),
                        tls: identity),
                    handler: TestHandler { _ in .text("") }, world: .live(log: .silent))
            }
        }
    }

    @Test("names the certificate as openssl does")
    func fingerprint() throws {
        let identity = try TLSIdentity.selfSigned(
            names: ["nas.test", "192.0.2.1", "2001:db8::1"], now: Self.now)
        let files = LinuxFileSystem()
        let path = "/tmp/basket-http-test-\(SystemRandomNumberGenerator.number)"
        try files.replace(path, with: identity.certificatePEM)
        defer { try? files.remove(path) }
        let shown = try run([
            "openssl", "x509", "-in", path, "-noout", "-fingerprint", "-sha256", "-ext",
            "subjectAltName", "-checkend", "310000000",
        ])
        let digits = try #require(identity.fingerprint)
        #expect(digits.count == 64)
        #expect(shown.filter { $0 != ":" }.lowercased().contains(digits))
        #expect(
            shown.contains("DNS:nas.test, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1"))
        #expect(shown.contains("Certificate will not expire"))
    }

    @Test(
        "takes no name that would become two", arguments: ["a,DNS:b", "a b", "", "DNS:a", "a\nb"])
    func names(name: String) {
        #expect(throws: HTTPServerError.self) {
            try TLSIdentity.selfSigned(names: [name], now: Self.now)
        }
    }
}

private enum LiveTime {
    static var now: Timestamp { World.live(log: .silent).now() }
}

extension SystemRandomNumberGenerator {
    fileprivate static var number: UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

/// A program's output, or `exit N` and its complaint.
private func run(_ arguments: [String]) throws -> String {
    let command = arguments.map { "'\($0)'" }.joined(separator: " ") + " 2>&1"
    guard let pipe = popen(command, "r") else {
        throw WireFailure("cannot run \(arguments[0]): \(errno)")
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = fread(&buffer, 1, buffer.count, pipe)
        if count == 0 { break }
        output += buffer[..<count]
    }
    let status = pclose(pipe)
    let text = String(decoding: output, as: UTF8.self)
    return status == 0 ? text : "exit \(status >> 8): \(text)"
}
