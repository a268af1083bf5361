/// Lets one wait until somebody wants the end, or the waiting task is cancelled.
final class Stopping: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    func stop() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}
