/// Where a domain's log-in is kept.
package protocol CredentialStore: Sendable {
    /// Nil when nobody is logged in. Asked for again after a refusal, so that whoever logs in anew is noticed.
    func credentials() throws -> StoredCredentials?
    func keep(_ credentials: StoredCredentials) throws
    func forget() throws
}
