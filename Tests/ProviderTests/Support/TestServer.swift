import BasketAPI
import BasketBlobs
import BasketConnection
import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport
import Foundation
import Synchronization
import TestSupport

/// The real server over real sockets, in this process, with the account `ada`. Its data outlive a
/// restart, and are gone with the value.
final class TestServer: Sendable {
    static let password = "correct horse"

    let store: Store
    let world: World
    let folder: String
    private let service: Service
    private let http: Mutex<HTTPServer?> = Mutex(nil)
    private let identity: TLSIdentity?
    let port: UInt16

    init(tls identity: TLSIdentity? = nil) async throws {
        let world = World.live(log: .silent)
        let base = world.files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
        let folder = "\(base)/basket-provider-\(world.randomUInt64())"
        try world.files.makeFolder(folder)
        let path = folder + "/basket.db"
        let writer = try await GroupCommitWriter { try Store.openConnection(path) }
        let store = try await Store(path: path, writer: writer, world: world)
        let service = try Service(
            store: store, blobs: MemoryBlobStore(world: world), settings: ServiceSettings(),
            passwordCost: .insecure)
        let hash = try await service.authenticator.hash(password: Self.password)
        try await store.write {
            try $0.createAccount(
                "ada", displayName: nil, role: .administrator, quota: nil, password: hash)
        }
        let server = try Self.listen(0, identity, service, world)
        self.store = store
        self.world = world
        self.folder = folder
        self.service = service
        self.identity = identity
        port = server.port
        http.withLock { $0 = server }
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func listen(
        _ port: UInt16, _ identity: TLSIdentity?, _ service: Service, _ world: World
    ) throws -> HTTPServer {
        var limits = HTTPLimits()
        limits.headerTime = .seconds(60)
        let server = try HTTPServer(
            configuration: HTTPServerConfiguration(
                listener: .address(ListeningAddress(host: "127.0.0.1", port: port)),
                tls: identity, workers: 2, limits: limits),
            handler: service, world: world)
        try server.start()
        return server
    }

    /// Ends all connections at once.
    func stop() async {
        let server = http.withLock { $0.take() }
        await server?.stop(grace: .zero)
    }

    /// Listens again, where it did before.
    func start() throws {
        let server = try Self.listen(port, identity, service, world)
        http.withLock { $0 = server }
    }

    var url: String { "\(identity == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// A connection from a device of that name.
    func connection(
        _ device: String, of account: String = "ada", retries: RetryPolicy = .quick
    ) async throws -> (ServerConnection, token: String) {
        let (connection, session) = try await logIn(device, of: account, retries: retries)
        return (connection, session.token)
    }

    func logIn(
        _ device: String, of account: String = "ada", retries: RetryPolicy = .quick
    ) async throws -> (ServerConnection, SessionAnswer) {
        let transport = CurlTransport(try endpoint())
        let nobody = ServerConnection(
            transport: transport, credentials: .nobody, world: world)
        let session = try await nobody.logIn(
            LogInRequest(account: account, password: Self.password, device: device))
        let connection = ServerConnection(
            transport: transport, credentials: .token(session.token), world: world,
            retries: retries)
        return (connection, session)
    }

    func endpoint() throws -> ServerEndpoint {
        try ServerEndpoint(url)
    }

    /// Runs a test beside a server with the domain `Work`, and what looks into it from aside.
    static func with<Result: Sendable>(
        _ body: (TestServer, ServerConnection) async throws -> Result
    ) async throws -> Result {
        let server = try await TestServer()
        let (observer, _) = try await server.connection("observer")
        _ = try await observer.createDomain(CreateDomainRequest(name: "Work"))
        do {
            let result = try await body(server, observer)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}

extension RetryPolicy {
    /// Tests do not wait.
    static let quick = RetryPolicy(shortestWait: .milliseconds(1), longestWait: .milliseconds(5))
    /// Each break reaches the caller.
    static let none = RetryPolicy(mostAttempts: 1)
}
