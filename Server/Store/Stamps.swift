import Synchronization

/// The source of numbers, shared by the transactions of one store.
final class Stamps: Sendable {
    private let source: Mutex<StampSource>

    init(_ source: StampSource) {
        self.source = Mutex(source)
    }

    func with<Result: Sendable>(_ body: (inout StampSource) -> Result) -> Result {
        source.withLock { body(&$0) }
    }
}
