import BasketConnection
import FileProvider

// What does not exist. The system removes from the disk what it is told to be gone.
extension ProviderSession {
    /// Does what is about one item. That this very item is gone is said only once the server has said so of
    /// it alone: what else it did not find on the way may be another item, which somebody has deleted
    /// meanwhile.
    func about<Answer>(
        _ item: NSFileProviderItemIdentifier, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let error as ConnectionError where Reaction(error) == .forget {
            throw try await isGone(item)
                ? ProviderFailure.noSuchItem(item) : .refused(.tryAgain, error)
        }
    }

    /// Whether the server says of this item that there is none. A domain always has a root.
    func isGone(_ item: NSFileProviderItemIdentifier) async throws -> Bool {
        guard item != .rootContainer else { return false }
        do {
            _ = try await call { try await $0.item(item.serverID, in: $1) }
            return false
        } catch let error as ConnectionError where Reaction(error) == .forget {
            listings.note(deleted: item.serverID)
            return true
        }
    }
}
