import Synchronization

/// Waits for completion handlers. One that is called a second time is not heard: extensions do that, and it
/// must cost them nothing.
enum Answer {
    /// Waits for a value.
    static func value<Value: Sendable>(
        _ call: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            call { once.resume(with: .success($0)) }
        }
    }

    /// Waits for success or an error.
    static func success(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            let once = Once(continuation)
            call { error in once.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
    }

    /// Waits for a value or an error.
    static func result<Value: Sendable>(
        _ call: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let once = Once(continuation)
            call { once.resume(with: $0) }
        }
    }

    /// The continuation, until the first answer takes it.
    private final class Once<Value: Sendable, Failure: Error>: Sendable {
        private let waiting: Mutex<CheckedContinuation<Value, Failure>?>

        init(_ waiting: CheckedContinuation<Value, Failure>) {
            self.waiting = Mutex(waiting)
        }

        func resume(with result: Result<Value, Failure>) {
            waiting.withLock { $0.take() }?.resume(with: result)
        }
    }
}
