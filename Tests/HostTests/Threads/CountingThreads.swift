import BasketSupport
import Synchronization

/// Threads of their own, and how often something ran on them.
final class CountingThreads: TaskExecutor {
    private let pool = ThreadPool(name: "copies", threads: 1)
    private let jobs = Mutex(0)

    var count: Int { jobs.withLock { $0 } }

    func enqueue(_ job: UnownedJob) {
        jobs.withLock { $0 += 1 }
        pool.enqueue(job)
    }

    func stop() { pool.stop() }
}
