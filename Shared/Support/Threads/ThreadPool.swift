import Synchronization

/// Threads of their own for work that blocks: file writes, `fsync`, long queries. A task that
/// prefers this executor may block without starving the others.
package final class ThreadPool: TaskExecutor {
    private struct State {
        var jobs: ArraySlice<UnownedJob> = []
        var stopping = false
    }

    private let state = Mutex(State())
    private let waiting = Semaphore()
    private let threads: Mutex<[Thread]> = Mutex([])

    /// - Parameter threads: how many jobs may block at a time; more wait their turn.
    package init(name: String, threads count: Int) {
        let started = (0..<count).map { _ in Thread(name: name) { self.run() } }
        threads.withLock { $0 = started }
    }

    package func enqueue(_ job: UnownedJob) {
        state.withLock { $0.jobs.append(job) }
        waiting.signal()
    }

    /// Ends the threads once every job that was enqueued has run. Called once, from outside.
    package func stop() {
        state.withLock { $0.stopping = true }
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for _ in ending { waiting.signal() }
        for thread in ending { thread.join() }
    }

    private func run() {
        while true {
            waiting.wait()
            let (job, stopping) = state.withLock { ($0.jobs.popFirst(), $0.stopping) }
            if let job {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if stopping {
                return
            }
        }
    }
}
