import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import BasketProvider

@Suite("A domain's settings", .timeLimit(.minutes(60)))
struct DomainSettingsTests {
    private static func settings(_ more: [String: String]) throws -> DomainSettings {
        var entries: [String: DomainUserInfo.Value] = [
            "server": .text("https://nas.local:8443"), "domain": .text("Work"),
        ]
        for (key, text) in more { entries[key] = .text(text) }
        return try DomainSettings(DomainUserInfo(entries: entries))
    }

    @Test("send a log-in in the clear to nobody else, unless they say so in so many words")
    func insecure() throws {
        let plain = "http://nas.local:8080"
        for refused in [
            ["server": plain], ["server": plain, "insecure-http": "no"],
            ["server": plain, "insecure-http": "perhaps"],
            ["server": plain, "insecure-http": "yes", "certificate": ContentHash(of: [1]).hex],
            ["server": "http://127.0.0.1", "certificate": ContentHash(of: [1]).hex],
        ] {
            #expect(throws: ProviderFailure.self, "\(refused)") { try Self.settings(refused) }
        }
        let allowed = try Self.settings(["server": plain, "insecure-http": "yes"])
        #expect(allowed.server.url == plain)
        #expect(try Self.settings(["server": "http://127.0.0.1"]).server.isLocal)
    }

    @Test("limit the bandwidth each way, in the words of the server's settings")
    func bandwidth() throws {
        #expect(try Self.settings([:]).bandwidth == Bandwidth())
        let limited = try Self.settings(["upload-limit": "512KiB", "download-limit": "2MiB"])
        #expect(limited.bandwidth == Bandwidth(receiving: 2 << 20, sending: 512 << 10))
        for (key, text) in [
            ("upload-limit", "fast"), ("download-limit", "10MB"), ("upload-limit", "0"),
        ] {
            let error = #expect(throws: ProviderFailure.self) { try Self.settings([key: text]) }
            guard case .misconfigured(let words)? = error else {
                return #expect(Bool(false), "\(error as Any)")
            }
            #expect(words.contains(key))
        }
    }

    @Test("have domains with the same limits share them, and hold them")
    func registry() async throws {
        try await TestServer.with { server, observer in
            let registry = TransportRegistry()
            let limit = Bandwidth(receiving: 1 << 20)
            let endpoint = try server.endpoint()
            let limited = registry.transport(to: endpoint, within: limit)
            #expect(registry.transport(to: endpoint, within: limit) === limited)
            let free = registry.transport(to: endpoint, within: Bandwidth())
            #expect(free !== limited)

            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", someBytes(1 << 20, seed: 1), device)
            let (_, token) = try await server.connection("limited")
            let connection = ServerConnection(
                transport: limited, credentials: .token(token), world: server.world)
            let begin = server.world.uptime()
            _ = try await connection.receiveContent(
                of: item.itemIdentifier.rawValue, in: "Work"
            ) { _, _ in }
            #expect(server.world.uptime() - begin > .milliseconds(700))
        }
    }
}
