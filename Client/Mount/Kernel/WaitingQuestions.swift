import BasketSupport
import Glibc
import Synchronization

/// Questions whose answers take their time. Who has asked may be told that nobody can be reached, and is not kept waiting:
/// when the machine falls asleep, and when somebody has been silent for long.
final class WaitingQuestions: Sendable {
    private struct Question {
        let task: Task<Void, Never>
        let began: Duration
        /// Nobody waits for the end of a file that is closed, and what was written to it is noted then.
        let isClosing: Bool
        var isRefused = false
    }

    private struct State {
        /// By their requests.
        var questions: [UInt: Question] = [:]
        var isResting = false
        var isWatched = false
    }

    private let world: World
    /// So long who waits for somebody who cannot be reached waits at most, however many have asked before.
    private let patience: Duration
    private let isCutOff: @Sendable () -> Bool
    private let state = Mutex(State())

    private static let look = Duration.seconds(1)

    init(patience: Duration, world: World, isCutOff: @escaping @Sendable () -> Bool) {
        self.patience = patience
        self.world = world
        self.isCutOff = isCutOff
    }

    func add(_ request: UInt, _ question: FuseQuestion, answeredBy task: Task<Void, Never>) {
        let isClosing = if case .release = question { true } else { false }
        let isFirst = state.withLock { state in
            state.questions[request] = Question(
                task: task, began: world.uptime(), isClosing: isClosing)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isFirst { Task { await self.watch() } }
    }

    /// It is about to be answered.
    /// - Returns: whether an answer that says no more than that the wait was ended means that nobody can be reached.
    func remove(_ request: UInt) -> Bool {
        state.withLock { state in
            let question = state.questions.removeValue(forKey: request)
            return state.isResting || question?.isRefused == true
        }
    }

    /// Whoever has asked does not want to wait any more.
    func interrupt(_ request: UInt) {
        state.withLock { $0.questions[request]?.task }?.cancel()
    }

    // MARK: Long waits

    private func watch() async {
        repeat { try? await world.sleep(Self.look) } while endLongWaits()
    }

    /// - Returns: whether anybody waits.
    private func endLongWaits() -> Bool {
        let now = world.uptime()
        let (isAny, isLong) = state.withLock { state in
            state.isWatched = !state.questions.isEmpty
            return (state.isWatched, state.questions.values.contains { now - $0.began >= patience })
        }
        if isLong, isCutOff() { refuse(after: patience) }
        return isAny
    }

    private func refuse(after patience: Duration) {
        let now = world.uptime()
        let tasks = state.withLock { state in
            let due = state.questions.filter {
                !$0.value.isClosing && now - $0.value.began >= patience
            }
            for request in due.keys { state.questions[request]?.isRefused = true }
            return due.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Rest

    /// What is done on this machine is done sooner.
    private static let patienceAtRest = Duration.milliseconds(300)
    private static let mostTurnsToRest = 8
    private static let longestRest = 600
    private static let turn = Duration.milliseconds(100)

    /// Programs that wait for somebody else are told that nobody can be reached, from now on until `goOn`: a machine does not
    /// fall asleep while they wait, and whom they wait for does not answer when it does. Returns within a second.
    func rest() {
        state.withLock { $0.isResting = true }
        let pause = Semaphore()
        for _ in 0..<Self.mostTurnsToRest where !endWaits() { _ = pause.wait(upTo: Self.turn) }
        Thread(name: "rest") { [weak self] in
            // Time stands still while the machine sleeps. Where nobody says that it is awake again, it is.
            for _ in 0..<Self.longestRest {
                guard let self, self.state.withLock({ $0.isResting }) else { return }
                self.endWaits()
                _ = pause.wait(upTo: Self.turn)
            }
            self?.goOn()
        }.detach()
    }

    /// Whoever asks from now on is answered as ever.
    func goOn() {
        state.withLock { $0.isResting = false }
    }

    /// - Returns: whether nobody waits.
    @discardableResult
    private func endWaits() -> Bool {
        refuse(after: Self.patienceAtRest)
        return state.withLock { state in state.questions.values.allSatisfy(\.isClosing) }
    }
}
