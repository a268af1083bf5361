import BasketBlobs
import BasketContent
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport
import Synchronization

/// The whole API: it finds the route, finds out who asks, and turns what goes wrong into words.
package final class Service: HTTPHandler {
    package let store: Store
    package let blobs: any BlobStore
    package let authenticator: Authenticator
    let world: World
    /// Each answer bears it.
    private let dataName: String
    /// What the connections hold clients to.
    let connectionLimits: HTTPLimits
    let faults: FaultInjector?
    let memory: MemoryBudget
    /// For those who read whole contents again to see that they are what a manifest says.
    /// One at a time: it keeps a core busy for as long as it takes.
    let verifications = Turns(1)
    private let router: Router<Endpoint>
    private let currentSettings: Mutex<ServiceSettings>
    private let http = Mutex<HTTPServer?>(nil)
    /// Where work runs that would block the connections' threads; nil for the caller's own.
    private let blocking: (any TaskExecutor)?

    package init(
        store: Store, blobs: any BlobStore, settings: ServiceSettings,
        connectionLimits: HTTPLimits = HTTPLimits(),
        blocking: (any TaskExecutor)? = nil, hashing: (any TaskExecutor)? = nil,
        passwordCost: PasswordHash.Cost = .current
    ) throws {
        self.store = store
        self.blobs = blobs
        self.connectionLimits = connectionLimits
        currentSettings = Mutex(settings)
        memory = MemoryBudget(
            total: settings.bodyMemory, perAccount: settings.bodyMemoryOfAccount)
        self.blocking = blocking
        world = store.world
        dataName = try store.name()
        authenticator = try Authenticator(
            store: store, hashing: hashing, cost: passwordCost
        ) { NetworkAddress($0)?.customer.description ?? $0 }
        faults = settings.allowsFaults ? FaultInjector(world: store.world) : nil
        router = Router(
            Self.endpoints(withFaults: settings.allowsFaults).map {
                Route($0.method, $0.pattern, $0)
            })
    }

    /// The whole API on one page. The router, the tests and the description are held against it.
    package static func endpoints(withFaults: Bool) -> [Endpoint] {
        ServerInformation.endpoints + Sessions.endpoints + Accounts.endpoints + Domains.endpoints
            + Items.endpoints + Contents.endpoints + ManyContents.endpoints + Chunks.endpoints
            + Versions.endpoints
            + Thumbnails.endpoints + Locks.endpoints + Changes.endpoints + Events.endpoints
            + Search.endpoints + Batch.endpoints + Files.endpoints
            + (withFaults ? Faults.endpoints : [])
    }

    package var settings: ServiceSettings { currentSettings.withLock { $0 } }

    /// Holds to other settings from now on. Whether faults are allowed stays as it was at the start:
    /// it decides which routes there are.
    package func take(_ settings: ServiceSettings) {
        currentSettings.withLock { current in
            let allowsFaults = current.allowsFaults
            current = settings
            current.allowsFaults = allowsFaults
        }
    }

    /// Whose numbers the metrics tell.
    package func observe(_ server: HTTPServer) {
        http.withLock { $0 = server }
    }

    var httpStatistics: HTTPStatistics? {
        http.withLock { $0 }?.statistics
    }

    // MARK: Answering

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response = await answer(request)
        response.headers["Basket-Server"] = dataName
        return response
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        switch router.match(request.method, request.path) {
        case .found(let route, let captures):
            var response = await answer(request, route.target, captures)
            response.logLabel = route.pattern.description
            return response
        case .methodNotAllowed(let methods):
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            return Problem(
                405, "method_not_allowed", "\(request.method.rawValue) is not for this path.",
                detail: "It takes \(allowed)."
            ).with(header: "Allow", allowed).response(id: request.id)
        case .notFound:
            return Problem(404, "no_such_route", "There is nothing at this path.")
                .response(id: request.id)
        }
    }

    package func refuse(_ refusal: HTTPRefusal, id: String) -> HTTPResponse {
        Problem(refusal).response(id: id)
    }

    private func answer(
        _ request: HTTPRequest, _ endpoint: Endpoint, _ captures: RouteCaptures
    ) async -> HTTPResponse {
        var known: Call?
        do {
            let identity = try await identity(for: endpoint.access, request)
            try requirePlainBody(request)
            let call = Call(
                request: request, captures: captures, identity: identity, service: self,
                memory: MemoryShare(memory, account: identity.account))
            known = call
            if endpoint.method != .get {
                try endpoint.conditions.check(request.headers)
                try call.requireWholeBody()
            }
            guard let bandwidth = try await faults?.apply(to: call) else {
                return try await endpoint.answer(call)
            }
            var slow = call
            slow.request.body = bandwidth.limit(request.body)
            var response = try await endpoint.answer(slow)
            response.body = bandwidth.limit(response.body)
            return response
        } catch {
            var problem = Problem(error, log: world.log.with("id", .text(request.id)))
            problem.item = known?.subject(of: error)
            return problem.response(id: request.id)
        }
    }

    /// A body that was compressed on the way would be stored as it came, and be another content.
    private func requirePlainBody(_ request: HTTPRequest) throws {
        guard let encoding = request.headers["Content-Encoding"],
            encoding.lowercased() != "identity"
        else { return }
        throw Problem(
            415, "unsupported_encoding", "A body is taken as it is, without a Content-Encoding."
        ).with(header: "Accept-Encoding", "identity")
    }

    // MARK: Who asks

    private func identity(
        for access: Endpoint.Access, _ request: HTTPRequest
    ) async throws -> Identity {
        switch access {
        case .open: return .nobody
        case .account: return try await identify(request)
        case .administrator:
            let identity = try await identify(request)
            guard identity.isAdministrator else {
                throw StoreError.forbidden(needs: "administrator")
            }
            return identity
        }
    }

    /// Who sent the request; never waits for a token, which is looked up in memory.
    func identify(_ request: HTTPRequest) async throws -> Identity {
        guard let header = request.headers["Authorization"] else { throw Problem.notSignedIn }
        switch Credentials(header: header) {
        case .token(let token): return try authenticator.identity(token: token)
        case .password(let name, let password):
            return try await authenticator.identity(
                name: name, password: password, address: request.clientAddress)
        case nil: throw Problem.notSignedIn
        }
    }

    // MARK: Blocking work

    /// Runs what blocks where it holds nobody up.
    func aside<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let blocking else { return try await body() }
        return try await withTaskExecutorPreference(blocking) { try await moved(body) }
    }

    /// Only a concurrent function follows the preference.
    @concurrent
    private func moved<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body()
    }
}

extension Identity {
    /// Whoever asks for what is open to all.
    static let nobody = Identity(
        account: 0, accountName: "", role: .member, device: nil, deviceName: "")
}

extension Problem {
    init(_ refusal: HTTPRefusal) {
        switch refusal {
        case .malformed(let reason):
            self = Problem(400, "malformed_request", "This is no HTTP request.", detail: reason)
        case .methodUnknown: self = Problem(501, "method_unknown", "This method is not known here.")
        case .expectationFailed:
            self = Problem(
                417, "expectation_failed", "Nothing can be expected here but 100-continue.")
        case .targetTooLong(let limit):
            self = Problem(414, "target_too_long", "The address is too long.")
                .with("limit", .number(Int64(limit)))
        case .headersTooLarge(let limit):
            self = Problem(431, "headers_too_large", "The headers are too large.")
                .with("limit", .number(Int64(limit)))
        case .uploadTooSlow(let bytesPerSecond):
            self = Problem(408, "upload_too_slow", "The body came too slowly.")
                .with("bytesPerSecond", .number(Int64(bytesPerSecond)))
        case .stopping: self = .stopping
        }
    }
}
