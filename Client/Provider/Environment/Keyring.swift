/// Where a person's desktop keeps secrets, for what a domain logs in with.
package protocol Keyring: Sendable {
    /// - Returns: nil where it is certain that there is no such entry any more.
    func secret(_ id: String) async throws(KeyringTrouble) -> String?

    /// When this returns, the secret is there, as somebody has looked.
    /// - Parameter label: what people see of it.
    func keep(_ secret: String, as entry: KeyringEntry, label: String) async throws(KeyringTrouble)

    /// Removes all entries of a file of credentials, but for one that stays.
    func removeEntries(of file: String, besides id: String?) async throws(KeyringTrouble)
}
