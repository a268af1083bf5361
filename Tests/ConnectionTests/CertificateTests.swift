import BasketConnection
import BasketContent
import BasketHTTP
import BasketModels
import BasketSupport
import Testing

@Suite("A server's own certificate", .timeLimit(.minutes(60)))
struct CertificateTests {
    private static func identity() throws -> TLSIdentity {
        try TLSIdentity.selfSigned(names: ["elsewhere.test"], now: World.live(log: .silent).now())
    }

    private static func hash(_ identity: TLSIdentity) throws -> ContentHash {
        try #require(identity.fingerprint.flatMap { ContentHash(hex: $0) })
    }

    private static func ask(
        _ server: TestServer, _ trust: ServerEndpoint.Trust
    ) async throws -> (String?, ConnectionError?) {
        let connection = ServerConnection(
            transport: CurlTransport(try .of(server.url, trust: trust)),
            credentials: .token("secret"), world: .live(log: .silent), retries: .quick)
        do throws(ConnectionError) {
            return (try await connection.server().name, nil)
        } catch {
            return (nil, error)
        }
    }

    @Test("is taken when it is the one with the fingerprint, and no other one is")
    func pinned() async throws {
        let identity = try Self.identity()
        let server = try await TestServer(tls: identity)
        let right = try Self.hash(identity)
        #expect(try await Self.ask(server, .certificate(right)).0 == "Basket")

        let wrong = try Self.hash(try Self.identity())
        let error = try await Self.ask(server, .certificate(wrong)).1
        guard case .unreachable(.certificateNotPinned(let offered))? = error else {
            return #expect(Bool(false), "\(error as Any)")
        }
        #expect(offered == right && error?.message.contains(right.hex) == true)
        await server.stop()
    }

    @Test("is not taken unseen, and its fingerprint is told")
    func notTrusted() async throws {
        let identity = try Self.identity()
        let server = try await TestServer(tls: identity)
        let error = try await Self.ask(server, .system).1
        guard case .unreachable(.certificateNotTrusted(let offered, _))? = error else {
            return #expect(Bool(false), "\(error as Any)")
        }
        #expect(offered == (try Self.hash(identity)))
        await server.stop()
    }
}
