import Synchronization

/// Does things that may have to wait for somebody, on threads of its own: those of one key one after another, and of others
/// meanwhile.
package final class PatientThreads<Key: Hashable & Sendable>: Sendable {
    private struct State {
        /// What is still to be done, by its key. Keys that are there have a thread, or are waiting for one.
        var work: [Key: [@Sendable () -> Void]] = [:]
        var waiting: [Key] = []
        /// For whose things nobody waits any more.
        var slow: Set<Key> = []
        var threads = 0
        var idle = 0
        var isStopped = false
    }

    private let name: String
    private let most: Int
    private let state = Mutex(State())
    private let wake = Semaphore()

    /// A thread that has had nothing to do for so long ends.
    private static var longestIdle: Duration { .seconds(10) }

    /// - Parameter most: threads at a time.
    package init(name: String, most: Int) {
        self.name = name
        self.most = most
    }

    /// Returns once the body has run; or has not after some time, and is still to run.
    package func run(
        _ key: Key, waitingUpTo patience: Duration, _ body: @escaping @Sendable () -> Void
    ) {
        let done = Semaphore()
        let (isSlow, isShort) = state.withLock { state in
            if state.work[key] == nil { state.waiting.append(key) }
            state.work[key, default: []].append {
                body()
                done.signal()
            }
            let isShort = state.waiting.count > state.idle && state.threads < most
            if isShort { state.threads += 1 }
            return (state.slow.contains(key), isShort)
        }
        if isShort { Thread(name: name) { self.work() }.detach() }
        wake.signal()
        if isSlow || done.wait(upTo: patience) { return }
        state.withLock { state in
            if state.work[key] != nil { state.slow.insert(key) }
        }
    }

    /// What is still to be done is not done any more.
    package func stop() {
        let count = state.withLock { state in
            state.isStopped = true
            return state.threads
        }
        for _ in 0..<count { wake.signal() }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            let isWoken = wake.wait(upTo: Self.longestIdle)
            let (key, isOver) = state.withLock { state -> (Key?, Bool) in
                state.idle -= 1
                let key =
                    state.isStopped || state.waiting.isEmpty ? nil : state.waiting.removeLast()
                let isOver = state.isStopped || key == nil && !isWoken
                if isOver { state.threads -= 1 }
                return (key, isOver)
            }
            if isOver { return }
            if let key { work(on: key) }
        }
    }

    private func work(on key: Key) {
        while true {
            let body = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.isStopped, state.work[key]?.isEmpty == false else {
                    state.work[key] = nil
                    state.slow.remove(key)
                    return nil
                }
                return state.work[key]?.removeFirst()
            }
            guard let body else { return }
            body()
        }
    }
}
