import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Logging in and out, and the devices that are logged in.
enum Sessions {
    static let endpoints: [Endpoint] = [
        Endpoint(.post, "/v1/sessions", access: .open, logIn),
        Endpoint(.delete, "/v1/sessions/current", logOut),
        Endpoint(.get, "/v1/devices", devices),
        Endpoint(.delete, "/v1/devices/{device}", revoke),
    ]

    /// Read before anybody has said who asks.
    private static let longestLogIn = 16 << 10

    /// With name and password in the body, or by Basic.
    static func logIn(_ call: Call) async throws -> HTTPResponse {
        let (request, _) = try await call.json(LogInRequest.self, upTo: longestLogIn)
        let lifetime = request.seconds.map { Duration.seconds($0) }
        if let lifetime, lifetime <= .zero {
            throw StoreError.badField(field: "seconds", reason: "more than 0")
        }
        let address = call.request.clientAddress
        let authenticator = call.service.authenticator
        let (account, password) = try await credentials(request, call)
        let session = try await authenticator.openSession(
            name: account, password: password, device: request.device, lifetime: lifetime,
            address: address)
        return .json(status: 201) { writer in
            writer.key("token")
            writer.string(session.token)
            writer.key("account")
            writer.string(session.identity.accountName)
            writer.key("device")
            writer.string(DeviceID(rawValue: session.device).description)
            if let expires = session.expires {
                writer.key("expires")
                writer.string(expires.rfc3339)
            }
        }
    }

    private static func credentials(
        _ request: LogInRequest, _ call: Call
    ) async throws -> (account: String, password: String) {
        if let account = request.account, let password = request.password {
            return (account, password)
        }
        let header = call.request.headers["Authorization"]
        if case .password(let account, let password)? = header.flatMap(Credentials.init(header:)) {
            return (account, password)
        }
        _ = try await call.service.identify(call.request)
        // A token that could be turned into another one would outlive its own revocation.
        throw StoreError.badField(field: "password", reason: "logging in needs one")
    }

    static func logOut(_ call: Call) async throws -> HTTPResponse {
        guard let device = call.identity.device else { throw StoreError.noSuchDevice }
        return try await revoke(call, device)
    }

    static func revoke(_ call: Call) async throws -> HTTPResponse {
        guard let device = DeviceID(call["device"]) else { throw StoreError.noSuchDevice }
        return try await revoke(call, device.rawValue)
    }

    private static func revoke(_ call: Call, _ device: Int64) async throws -> HTTPResponse {
        if let answer = try call.earlierAnswer(to: []) { return answer }
        let identity = call.identity
        let response = try await call.change(status: 204) { transaction in
            try transaction.revoke(device: device, of: identity.account)
            return []
        }
        call.audit("device revoked", "device", DeviceID(rawValue: device).description)
        return response
    }

    static func devices(_ call: Call) async throws -> HTTPResponse {
        let devices = try call.store.read {
            try $0.devices(of: call.identity.account, at: call.world.now())
        }
        return .json { writer in
            writer.key("devices")
            writer.array { writer in
                for device in devices {
                    writer.object { writer in
                        writer.key("id")
                        writer.string(DeviceID(rawValue: device.number).description)
                        writer.key("name")
                        writer.string(device.name)
                        writer.key("current")
                        writer.bool(device.number == call.identity.device)
                        writer.key("created")
                        writer.string(device.created.rfc3339)
                        writer.key("used")
                        writer.string(device.used.rfc3339)
                        if let expires = device.expires {
                            writer.key("expires")
                            writer.string(expires.rfc3339)
                        }
                    }
                }
            }
        }
    }
}

extension Call {
    /// A line for whoever looks after the server's security.
    func audit(_ event: StaticString, _ field: String, _ value: String) {
        world.log.notice(
            event,
            [
                "audit": .flag(true), "account": .text(identity.accountName),
                "field": .text(field), "value": .text(value), "request": .text(request.id),
                "address": .text(request.clientAddress),
            ])
    }
}
