import BasketContent
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Accounts: for administrators; one's own password and display name for everybody.
enum Accounts {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/accounts", access: .administrator, list),
        Endpoint(.post, "/v1/accounts", access: .administrator, create),
        Endpoint(.get, "/v1/accounts/{account}", show),
        Endpoint(.patch, "/v1/accounts/{account}", change),
        Endpoint(.delete, "/v1/accounts/{account}", access: .administrator, delete),
    ]

    static func list(_ call: Call) async throws -> HTTPResponse {
        let page = try ListPage(call)
        let accounts = try call.store.read {
            try $0.accounts(after: page.after, limit: page.wanted)
        }
        return .json { writer in
            page.write("accounts", accounts, by: \.name, to: &writer) { write($0, to: &$1) }
        }
    }

    static func show(_ call: Call) async throws -> HTTPResponse {
        let name = try visibleName(call)
        let account = try call.store.read { try $0.account(named: name) }
        return .json { write(account, to: &$0) }
    }

    static func create(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(CreateAccountRequest.self)
        if let answer = try call.earlierAnswer(to: bytes) { return answer }
        try Authenticator.check(password: request.password)
        let password = try await call.service.authenticator.hash(password: request.password)
        let response = try await call.change(bytes, status: 201) { transaction in
            try transaction.createAccount(
                request.name, displayName: request.displayName, role: request.role ?? .member,
                quota: request.quota, password: password)
            let account = try transaction.db.account(named: request.name)
            return JSONWriter.document { write(account, to: &$0) }
        }
        call.audit("account created", "account", request.name)
        return response
    }

    static func change(_ call: Call) async throws -> HTTPResponse {
        let name = try visibleName(call)
        let (request, bytes) = try await call.json(ChangeAccountRequest.self)
        if let answer = try call.earlierAnswer(to: bytes) { return answer }
        try checkPowers(request, call)
        let password = try await newPassword(of: name, request, call)
        let change = AccountChange(
            displayName: request.displayName, role: request.role, quota: request.quota,
            isDisabled: request.disabled, password: password)
        let response = try await call.change(bytes) { transaction in
            try transaction.change(account: name, change)
            let account = try transaction.db.account(named: name)
            return JSONWriter.document { write(account, to: &$0) }
        }
        call.audit("account changed", "account", name)
        return response
    }

    static func delete(_ call: Call) async throws -> HTTPResponse {
        if let answer = try call.earlierAnswer(to: []) { return answer }
        let name = call["account"]
        let response = try await call.change(status: 204) { transaction in
            try transaction.deleteAccount(name)
            return []
        }
        call.audit("account deleted", "account", name)
        return response
    }

    /// What only administrators decide.
    private static func checkPowers(_ request: ChangeAccountRequest, _ call: Call) throws {
        let isPlain = request.role == nil && request.disabled == nil && request.quota.isKeep
        guard isPlain || call.identity.isAdministrator else {
            throw StoreError.forbidden(needs: "administrator")
        }
    }

    /// The password to set, hashed; nil when the request says nothing of one.
    private static func newPassword(
        of name: String, _ request: ChangeAccountRequest, _ call: Call
    ) async throws -> PasswordHash? {
        guard let password = request.password else { return nil }
        if name.lowercased() == call.identity.accountName.lowercased() {
            try await confirmPassword(of: name, request.currentPassword, call)
        }
        try Authenticator.check(password: password)
        return try await call.service.authenticator.hash(password: password)
    }

    /// A token that was stolen must not be enough to lock its owner out.
    private static func confirmPassword(
        of name: String, _ current: String?, _ call: Call
    ) async throws {
        guard let current else {
            throw StoreError.badField(
                field: "currentPassword", reason: "changing one's own password needs it")
        }
        _ = try await call.service.authenticator.identity(
            name: name, password: current, address: call.request.clientAddress)
    }

    /// One's own account, or any for an administrator. Others are as unknown as those that never
    /// were.
    private static func visibleName(_ call: Call) throws -> String {
        let name = call["account"]
        let isOwn = name.lowercased() == call.identity.accountName.lowercased()
        guard isOwn || call.identity.isAdministrator else { throw StoreError.noSuchAccount(name) }
        return name
    }

    private static func write(_ account: Account, to writer: inout JSONWriter) {
        writer.key("name")
        writer.string(account.name)
        writer.key("displayName")
        writer.string(account.displayName)
        writer.key("role")
        writer.string(account.role.rawValue)
        writer.key("used")
        writer.number(account.used)
        if let quota = account.quota {
            writer.key("quota")
            writer.number(quota)
        }
        writer.key("disabled")
        writer.bool(account.isDisabled)
        writer.key("created")
        writer.string(account.created.rfc3339)
    }
}
