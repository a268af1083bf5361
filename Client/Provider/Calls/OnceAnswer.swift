import Synchronization

/// A completion handler that an answer and a cancellation race for: the first one calls it.
final class OnceAnswer<Answer: Sendable>: Sendable {
    typealias Handler = @Sendable (Result<Answer, any Error>) -> Void

    private let handler: Mutex<Handler?>

    init(_ handler: @escaping Handler) {
        self.handler = Mutex(handler)
    }

    /// - Returns: whether this was the first answer.
    func settle(_ result: Result<Answer, any Error>) -> Bool {
        guard let handler = handler.withLock({ $0.take() }) else { return false }
        handler(result)
        return true
    }
}
