/// Where a domain's log-in is kept.
package protocol CredentialStore: Sendable {
    /// Nil when nobody is logged in. Asked for again after a refusal, so that whoever logs in anew is noticed.
    /// - Throws: where nobody can tell, which is no log-out.
    func credentials() async throws -> StoredCredentials?
}
