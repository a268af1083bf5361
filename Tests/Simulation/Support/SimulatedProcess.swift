import Synchronization

/// What a device runs. It can die between any two steps: its tasks stand still for ever, and all that it had
/// in memory is nobody's.
final class SimulatedProcess: TaskExecutor {
    private let executor: SimulationExecutor
    private let death = Mutex(false)

    init(_ executor: SimulationExecutor) {
        self.executor = executor
    }

    var isDead: Bool { death.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        executor.enqueue(UnownedJob(job), of: self)
    }

    func kill() {
        death.withLock { $0 = true }
    }
}
