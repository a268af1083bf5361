import BasketSupport
import Synchronization

/// Whose answers are believed: a server that was put back to a copy of earlier, or another one under its address, knows
/// nothing of what has come since, and says of all that, that it is not there.
package final class KnownServer: Sendable {
    static let header = "basket-server"

    private let known: Mutex<String?>

    package init(_ name: String? = nil) {
        known = Mutex(name)
    }

    /// What the server calls itself; nil as long as nobody has heard it.
    package var name: String? { known.withLock { $0 } }

    /// From now on, that one is meant.
    package func accept(_ name: String) {
        known.withLock { $0 = name }
    }

    /// The first one that is heard is the one.
    func check(_ head: TransportResponse) throws(ConnectionError) {
        // What stands between may answer by itself.
        guard let name = head[header: Self.header] else { return }
        let expected = known.withLock { known in
            if known == nil { known = name }
            return known
        }
        if name != expected { throw .otherServer(name) }
    }
}
