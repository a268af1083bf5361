import FileProviderReplica
import Synchronization

/// Keeps files from being opened while what they hold goes to other nodes: whoever opens one just then would have what
/// is another one's when it is known who has what.
final class NodeGates: Sendable {
    private struct Place {
        let gate = Gate()
        var users = 0
    }

    private let places = Mutex<[NodeID: Place]>([:])

    /// Does something that is soon done, together with others.
    func enter<Result>(_ id: NodeID, _ body: () throws -> Result) async throws -> Result {
        let gate = take(id)
        defer { giveBack(id) }
        while !gate.enter() { try await gate.waitUntilOpen() }
        defer { gate.leave() }
        return try body()
    }

    /// Does something while nobody else is with any of these nodes. All wait in the same order for them.
    func alone<Result>(
        _ ids: [NodeID], _ body: () async throws -> Result
    ) async throws -> Result {
        try await alone(Set(ids).sorted()[...], body)
    }

    private func alone<Result>(
        _ ids: ArraySlice<NodeID>, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let first = ids.first else { return try await body() }
        let gate = take(first)
        defer { giveBack(first) }
        return try await gate.alone { try await alone(ids.dropFirst(), body) }
    }

    private func take(_ id: NodeID) -> Gate {
        places.withLock { places in
            places[id, default: Place()].users += 1
            return places[id, default: Place()].gate
        }
    }

    private func giveBack(_ id: NodeID) {
        places.withLock { places in
            places[id]?.users -= 1
            if places[id]?.users == 0 { places[id] = nil }
        }
    }
}
