/// What was kept before a log-in was replaced, until it is certain that the new one is used.
package struct ReplacedCredentials: Sendable {
    /// What could be read of it. What is in a keyring that is locked is not known, and given back all the same.
    package let credentials: StoredCredentials?
    /// The file as it was; nil where there was none.
    let file: [UInt8]?
    /// The entry of a keyring that the file named, and the one that it names now.
    let entries: (before: String?, now: String?)
}
