import BasketProvider
import Synchronization

/// A log-in that a test can change.
final class MemoryCredentials: CredentialStore {
    private let stored: Mutex<StoredCredentials?>

    init(_ token: String?) {
        stored = Mutex(token.map { StoredCredentials(token: $0) })
    }

    func credentials() -> StoredCredentials? { stored.withLock { $0 } }
    func keep(_ credentials: StoredCredentials) { stored.withLock { $0 = credentials } }
    func forget() { stored.withLock { $0 = nil } }
}
