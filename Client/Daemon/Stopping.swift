/// Lets one wait until somebody wants the end, or the waiting task is cancelled; or something else before that.
final class Stopping: Sendable {
    private let (renewals, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func stop() {
        continuation.finish()
    }

    /// Another program is to go on.
    func renew() {
        continuation.yield()
    }

    /// - Parameter renew: is called when that is wanted, and returns nil where it cannot be.
    /// - Returns: what that has returned; nil for the end.
    func wait<Value>(renew: () async -> Value?) async -> Value? {
        for await _ in renewals {
            if let value = await renew() { return value }
        }
        return nil
    }
}
