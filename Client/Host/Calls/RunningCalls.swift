import FileProvider
import Synchronization

/// Calls that the extension has not answered yet, and what of them somebody waits for.
final class RunningCalls: Sendable {
    private struct Entry {
        let call: any WatchedCall
        /// The item whose bytes it brings, and nobody waited for them.
        let fetch: NSFileProviderItemIdentifier?
    }

    private struct State {
        var calls: [UInt64: Entry] = [:]
        var next: UInt64 = 0
        var awaited: [NSFileProviderItemIdentifier: Int] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter fetch: the item whose bytes it brings for nobody.
    /// - Throws: `HostError.overtaken` when somebody waits for them by now.
    func add(
        _ call: any WatchedCall, fetching fetch: NSFileProviderItemIdentifier? = nil
    ) throws -> UInt64 {
        let number: UInt64? = state.withLock { state in
            if let fetch, state.awaited[fetch] != nil { return nil }
            state.next += 1
            state.calls[state.next] = Entry(call: call, fetch: fetch)
            return state.next
        }
        guard let number else { throw HostError.overtaken }
        return number
    }

    func remove(_ number: UInt64) {
        state.withLock { _ = $0.calls.removeValue(forKey: number) }
    }

    /// Nobody waits for any of them any more, in the order in which they were made.
    func giveUpAll(_ error: any Error) {
        giveUp(error) { _ in true }
    }

    private func giveUp(_ error: any Error, where isMeant: (Entry) -> Bool) {
        let calls = state.withLock { $0.calls.sorted { $0.key < $1.key } }
        for (_, entry) in calls where isMeant(entry) { entry.call.giveUp(error) }
    }

    // MARK: Who waits

    /// Does something while somebody waits for an item's bytes. What is on its way already goes on; what only stands in
    /// line somewhere gives up its place there, and is asked for by who waits.
    func awaiting<Result>(
        _ item: NSFileProviderItemIdentifier?, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let item else { return try await body() }
        state.withLock { $0.awaited[item, default: 0] += 1 }
        defer {
            state.withLock { state in
                let count = state.awaited[item] ?? 0
                state.awaited[item] = count > 1 ? count - 1 : nil
            }
        }
        giveUp(HostError.overtaken) { $0.fetch == item && !$0.call.movement.hasBegun }
        return try await body()
    }

    func isAwaited(_ item: NSFileProviderItemIdentifier) -> Bool {
        state.withLock { $0.awaited[item] != nil }
    }
}
