import BasketSupport
import Synchronization

/// Has one thing done at a time with each item.
final class ItemTurns: Sendable {
    private struct Place {
        let turns = Turns(1)
        var users = 0
    }

    private let places = Mutex<[String: Place]>([:])

    func alone<Result>(
        with item: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let turns = places.withLock { places in
            places[item, default: Place()].users += 1
            return places[item, default: Place()].turns
        }
        defer {
            places.withLock { places in
                places[item]?.users -= 1
                if places[item]?.users == 0 { places[item] = nil }
            }
        }
        return try await turns.take(body)
    }
}
