import BasketContent

/// Who sends a request.
enum Caller: Sendable, Hashable {
    case nobody
    /// The administrator's device, which every test server has.
    case admin
    case token(String)
    /// By Basic, without a device.
    case password(String, name: String)

    var token: String? {
        if case .token(let token) = self { token } else { nil }
    }

    func authorization(admin: String) -> String? {
        switch self {
        case .nobody: nil
        case .admin: "Bearer \(admin)"
        case .token(let token): "Bearer \(token)"
        case .password(let password, let name):
            "Basic \(Base64.encode(Array("\(name):\(password)".utf8), .standard))"
        }
    }
}
