import BasketBlobs
import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport
import Glibc
import Synchronization
import Testing

@testable import BasketAPI

/// The API over a store of its own, on a clock that only the test moves, with the administrator
/// `admin` and the domain `Work`. Gone with the value.
///
/// Every request and every answer is held against the description of the API: so every test of the
/// API is a test of its description too.
final class TestServer: Sendable {
    static let password = "correct horse"

    let service: Service
    let clock: TestClock
    let blobs: MemoryBlobStore
    private let folder: String
    private let adminToken: String
    private let requests = Mutex(0)

    /// - Parameters:
    ///   - capacity: how many bytes the blobs may come to.
    ///   - groups: commits in groups, on a thread of its own, as the program does.
    init(
        capacity: Int64 = .max, groups: Bool = false, log: Log = .silent,
        _ configure: (inout ServiceSettings) -> Void = { _ in }
    ) async throws {
        let clock = TestClock()
        var world = World.live(log: log)
        world.now = { clock.now }
        world.uptime = { clock.uptime }
        world.sleep = { try await clock.sleep($0) }
        // In memory where there is some to write to: nothing here is about surviving a crash.
        let base = world.files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
        let folder = "\(base)/basket-api-\(world.randomUInt64())"
        try world.files.makeFolder(folder)
        let path = folder + "/basket.db"
        let writer: any DatabaseWriter =
            groups
            ? try await GroupCommitWriter { try Store.openConnection(path) }
            : InlineWriter(try Store.openConnection(path))
        let store = try await Store(path: path, writer: writer, world: world)
        var settings = ServiceSettings()
        configure(&settings)
        let blobs = MemoryBlobStore(world: world, capacity: capacity)
        let service = try Service(
            store: store, blobs: blobs, settings: settings, passwordCost: .insecure)
        self.clock = clock
        self.folder = folder
        self.blobs = blobs
        self.service = service
        adminToken = try await Self.logIn(
            "admin", device: "desk", role: .administrator, at: service)
        try await post("/v1/domains", ["name": "Work"])
    }

    deinit {
        service.store.close()
        for suffix in ["", "-wal", "-shm"] { remove(folder + "/basket.db" + suffix) }
        remove(folder)
    }

    // MARK: People

    /// Somebody's new device; the account is made where it is missing, with the common password.
    @discardableResult
    func join(
        _ name: String, device: String = "laptop", role: AccountRole = .member
    ) async throws -> Caller {
        .token(try await Self.logIn(name, device: device, role: role, at: service))
    }

    private static func logIn(
        _ name: String, device: String, role: AccountRole, at service: Service
    ) async throws -> String {
        let known = try service.store.read { try $0.accounts().contains { $0.name == name } }
        if !known {
            let hash = try await service.authenticator.hash(password: password)
            try await service.store.write {
                try $0.createAccount(
                    name, displayName: nil, role: role, quota: nil, password: hash)
            }
        }
        let account = try service.store.read { try $0.account(named: name) }
        let identity = Identity(
            account: account.number, accountName: name, role: account.role, device: nil,
            deviceName: "")
        return try await service.authenticator.openSession(
            for: identity, device: device, lifetime: nil, address: "127.0.0.1"
        ).token
    }

    // MARK: Asking

    /// - Parameter isDescribed: false for a request or an answer that is left out of the description
    ///   on purpose.
    @discardableResult
    func send(
        _ request: TestRequest, as caller: Caller = .admin, isDescribed: Bool = true,
        at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        let (response, complete) = await respond(to: request, as: caller)
        let answer = try await TestAnswer(response)
        if isDescribed { check(complete, response.logLabel, answer, place) }
        return answer
    }

    /// Runs `body` beside an open stream.
    func listen<Result: Sendable>(
        _ target: String = "/v1/events", as caller: Caller = .admin,
        headers: [String: String] = [:],
        _ body: @Sendable @escaping (TestEvents) async throws -> Result
    ) async throws -> Result {
        var request = try TestRequest(.get, target)
        request.headers = headers.map { ($0.key, $0.value) }
        let (response, _) = await respond(to: request, as: caller)
        guard case .stream(let stream) = response.body else {
            throw NoStream(status: response.status)
        }
        return try await stream.reading(body)
    }

    /// Streams and long polls that are open.
    var listenerCount: Int { service.store.hub.listenerCount }

    struct NoStream: Error {
        let status: Int
    }

    private func respond(
        to request: TestRequest, as caller: Caller
    ) async -> (HTTPResponse, TestRequest) {
        var request = request
        if let authorization = caller.authorization(admin: adminToken),
            !request.headers.contains(where: { $0.name == "Authorization" })
        {
            request.headers.append(("Authorization", authorization))
        }
        let number = requests.withLock { requests in
            requests += 1
            return requests
        }
        return (await service.respond(to: request.request(id: "test-\(number)")), request)
    }

    private func check(
        _ request: TestRequest, _ pattern: String?, _ answer: TestAnswer, _ place: SourceLocation
    ) {
        let description = APIDescription.shared
        let operation = pattern.map { APIDescription.Operation(request.method, $0) }
        var complaints = description.complaints(
            about: answer, to: request.method, for: operation)
        if answer.status < 300, let operation {
            complaints += description.complaints(about: request, for: operation)
        }
        for complaint in complaints {
            Issue.record(
                "\(request.method.rawValue) \(request.path): \(complaint)",
                sourceLocation: place)
        }
    }
}
