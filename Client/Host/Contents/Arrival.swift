import Synchronization

/// Bytes for which there is room, and that are on their way here.
final class Arrival: Sendable {
    private let isAwaited = Mutex(true)
    private let end: @Sendable () -> Void

    /// - Parameter end: makes them count no more as what is on its way.
    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// They count as what is here as soon as the transaction that says this is done, or do not come at all.
    func isOver() {
        let isFirst = isAwaited.withLock { isAwaited in
            defer { isAwaited = false }
            return isAwaited
        }
        if isFirst { end() }
    }
}
