import Synchronization

/// A value that a handler leaves for its test.
final class Slot<Value: Sendable>: Sendable {
    private let content: Mutex<Value?>

    init(_ value: Value? = nil) {
        content = Mutex(value)
    }

    var value: Value? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    func update(_ change: (inout Value) -> Void) {
        content.withLock { content in
            guard var value = content else { return }
            change(&value)
            content = value
        }
    }
}
