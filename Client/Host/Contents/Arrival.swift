import Synchronization

/// Bytes for which there is room, and that are on their way here.
final class Arrival: Sendable {
    private let isAwaited = Mutex(true)
    private let didEnd: @Sendable () -> Void

    /// - Parameter didEnd: makes them count no more as what is on its way.
    init(didEnd: @escaping @Sendable () -> Void) {
        self.didEnd = didEnd
    }

    /// They count as what is here as soon as the transaction that says this is done, or do not come at all.
    func end() {
        let isFirst = isAwaited.withLock { isAwaited in
            defer { isAwaited = false }
            return isAwaited
        }
        if isFirst { didEnd() }
    }
}
