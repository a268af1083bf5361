import BasketProvider

/// A log-in that the driver made.
struct FixedLogIn: CredentialStore {
    let token: String

    func credentials() -> StoredCredentials? { StoredCredentials(token: token) }
}
