import BasketContent
import BasketModels

// The server, sessions, devices, one's own account.
extension ServerConnection {
    package func server() async throws(ConnectionError) -> ServerInfo {
        try await value(APICall("GET", ["v1", "server"]))
    }

    /// Logs a device in. Never repeated by itself: a token whose answer was lost would stay behind.
    package func logIn(_ request: LogInRequest) async throws(ConnectionError) -> SessionAnswer {
        var call = try APICall("POST", ["v1", "sessions"]).json(request)
        call.isRepeatable = false
        return try await value(call)
    }

    package func logOut() async throws(ConnectionError) {
        try await done(APICall("DELETE", ["v1", "sessions", "current"]))
    }

    /// One's devices, the newest first.
    package func devices() async throws(ConnectionError) -> [DeviceInfo] {
        struct Answer: Decodable { var devices: [DeviceInfo] }
        return try await value(Answer.self, APICall("GET", ["v1", "devices"])).devices
    }

    package func revoke(_ device: DeviceID) async throws(ConnectionError) {
        try await done(APICall("DELETE", ["v1", "devices", device.description]))
    }

    private struct AccountsAnswer: ListAnswer {
        var accounts: [AccountInfo]
        var next: String?

        var entries: [AccountInfo] { accounts }
    }

    /// For administrators, as is all that makes or removes accounts.
    package func accounts() async throws(ConnectionError) -> [AccountInfo] {
        try await list(AccountsAnswer.self, ["v1", "accounts"])
    }

    package func createAccount(
        _ request: CreateAccountRequest
    ) async throws(ConnectionError) -> AccountInfo {
        try await value(APICall("POST", ["v1", "accounts"]).json(request))
    }

    package func deleteAccount(_ name: String) async throws(ConnectionError) {
        try await done(APICall("DELETE", ["v1", "accounts", name]))
    }

    package func account(_ name: String) async throws(ConnectionError) -> AccountInfo {
        try await value(APICall("GET", ["v1", "accounts", name]))
    }

    package func changeAccount(
        _ name: String, _ request: ChangeAccountRequest
    ) async throws(ConnectionError) -> AccountInfo {
        try await value(APICall("PATCH", ["v1", "accounts", name]).json(request))
    }
}
