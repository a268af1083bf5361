import BasketSupport
import Synchronization

/// Runs everything that a scenario starts on one thread, one piece at a time, in an order drawn from a seed,
/// by a clock that jumps to the next thing that is to happen. The same seed gives the same run.
final class SimulationExecutor: TaskExecutor {
    private struct Ready {
        let job: UnownedJob
        /// The process that it belongs to; nil for what does not crash.
        let process: SimulatedProcess?
    }

    private struct Sleeper {
        let due: Duration
        let number: UInt64
        let continuation: CheckedContinuation<Void, any Error>

        func isBefore(_ due: Duration, _ number: UInt64) -> Bool {
            (self.due, self.number) < (due, number)
        }
    }

    private struct State {
        var generator: SeededGenerator
        var ready: [Ready] = []
        /// Whose turn comes first is the last one.
        var sleepers: [Sleeper] = []
        var time = Duration.zero
        var next: UInt64 = 0
    }

    private enum Step {
        case job(Ready)
        case wake(CheckedContinuation<Void, any Error>)
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    var time: Duration { state.withLock { $0.time } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.ready.append(Ready(job: job, process: nil)) }
    }

    func enqueue(_ job: UnownedJob, of process: SimulatedProcess) {
        state.withLock { $0.ready.append(Ready(job: job, process: process)) }
    }

    /// Runs until nothing is left that could happen, or until it is told to stop.
    func run(until isOver: () -> Bool) {
        while !isOver(), let step = nextStep() {
            switch step {
            case .job(let ready):
                guard let process = ready.process else {
                    ready.job.runSynchronously(on: asUnownedTaskExecutor())
                    continue
                }
                // What is left of a dead process never runs.
                guard !process.isDead else { continue }
                ready.job.runSynchronously(on: process.asUnownedTaskExecutor())
            case .wake(let continuation): continuation.resume()
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if !state.ready.isEmpty {
                let index = Int(state.generator.next() % UInt64(state.ready.count))
                return .job(state.ready.remove(at: index))
            }
            guard let sleeper = state.sleepers.popLast() else { return nil }
            state.time = max(state.time, sleeper.due)
            return .wake(sleeper.continuation)
        }
    }

    func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    let due = state.time + max(.zero, duration)
                    var place = state.sleepers.endIndex
                    while place > 0, state.sleepers[place - 1].isBefore(due, number) { place -= 1 }
                    state.sleepers.insert(
                        Sleeper(due: due, number: number, continuation: continuation), at: place)
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.number == number }
                    .map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    func random() -> UInt64 {
        state.withLock { $0.generator.next() }
    }

    func random(_ count: Int) -> Int {
        Int(random() % UInt64(max(1, count)))
    }

    func randomBytes(_ count: Int) -> [UInt8] {
        state.withLock { $0.generator.bytes(count) }
    }

    /// A world that goes by this clock.
    func world(
        of process: SimulatedProcess? = nil, files: any FileSystem = LinuxFileSystem(),
        log: Log = .silent
    ) -> World {
        let start = Timestamp(seconds: 1_800_000_000)
        return World(
            now: { start + self.time }, uptime: { self.time },
            sleep: { try await self.sleep($0) }, randomBytes: { self.randomBytes($0) },
            spawn: { work in
                guard let process else {
                    return Task(executorPreference: self) { await work() }
                }
                return Task(executorPreference: process) { await work() }
            }, files: files, log: log)
    }
}
