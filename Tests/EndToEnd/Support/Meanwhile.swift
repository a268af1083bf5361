import BasketSupport
import Synchronization

/// Something that goes on beside the test, on a thread of its own, since it waits for sockets.
final class Meanwhile<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let thread = Mutex<Thread?>(nil)

    init(_ body: @escaping @Sendable () throws -> Value) {
        let started = Thread(name: "meanwhile") { [self] in
            let result = Result { try body() }
            outcome.withLock { $0 = result }
        }
        thread.withLock { $0 = started }
    }

    var isOver: Bool { outcome.withLock { $0 != nil } }

    /// What came out of it, once it is over.
    func result() throws -> Value {
        let running = thread.withLock { $0.take() }
        running?.join()
        guard let result = outcome.withLock({ $0 }) else { throw Failure("nothing came of it") }
        return try result.get()
    }
}

/// Runs the body so many times at once, and waits for all of them.
@discardableResult
func atOnce<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
    let all = (0..<count).map { index in Meanwhile { try body(index) } }
    let outcomes = all.map { one in Result { try one.result() } }
    return try outcomes.map { try $0.get() }
}
