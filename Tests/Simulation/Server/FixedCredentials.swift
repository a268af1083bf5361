import BasketProvider

/// A log-in that nobody changes.
struct FixedCredentials: CredentialStore {
    let token: String

    func credentials() -> StoredCredentials? { StoredCredentials(token: token) }
}
