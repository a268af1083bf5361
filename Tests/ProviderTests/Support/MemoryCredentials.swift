import BasketProvider
import Synchronization

/// A log-in that a test can change.
final class MemoryCredentials: CredentialStore {
    private let stored: Mutex<StoredCredentials?>
    private let lock = Mutex<(any Error)?>(nil)

    init(_ token: String?, device: String? = nil) {
        stored = Mutex(token.map { StoredCredentials(token: $0, device: device) })
    }

    /// Why nobody can look into it now, as into a keyring before its owner has logged in.
    var lockedBy: (any Error)? {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }

    func credentials() throws -> StoredCredentials? {
        if let lockedBy { throw lockedBy }
        return stored.withLock { $0 }
    }

    func keep(_ credentials: StoredCredentials) { stored.withLock { $0 = credentials } }
}
