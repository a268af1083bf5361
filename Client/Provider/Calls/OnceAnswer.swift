import Synchronization

/// A completion handler that an answer and a cancellation race for: the first one calls it.
final class OnceAnswer<Answer: Sendable>: Sendable {
    typealias Handler = @Sendable (Result<Answer, any Error>) -> Void

    private let handler: Mutex<Handler?>

    init(_ handler: @escaping Handler) {
        self.handler = Mutex(handler)
    }

    func settle(_ result: Result<Answer, any Error>) {
        handler.withLock { $0.take() }?(result)
    }
}
