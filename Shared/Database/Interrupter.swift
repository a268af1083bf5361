import Synchronization

/// Stops what a connection does, from any thread: also what it has not begun yet.
package final class Interrupter: Sendable {
    private let isOver = Atomic(false)

    package init() {}

    package func interrupt() {
        isOver.store(true, ordering: .relaxed)
    }

    var isInterrupted: Bool { isOver.load(ordering: .relaxed) }
}
