import Synchronization
import TestSupport

/// Carries a client from one thread's work to the next one's.
///
/// Unchecked: a test uses it in one piece of work after another, never in two at a time.
final class Kept<Value>: @unchecked Sendable {
    private var value: Value?

    init(_ value: Value) {
        self.value = value
    }

    func use<Result>(_ body: (Value) throws -> Result) throws -> Result {
        guard let value else { throw WireFailure("dropped already") }
        return try body(value)
    }

    func drop() {
        value = nil
    }
}
