import BasketSupport
import Foundation
import Synchronization

/// The calls that are under way: each is answered once, at the latest when it is cancelled.
final class CallRegistry: Sendable {
    private struct Entry {
        var task: Task<Void, Never>?
        let report: CallProgress?
        let settle: @Sendable () -> Void
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
        var isClosed = false
        /// Has those that wait be seen to; nil while there is none.
        var watch: Task<Void, Never>?
    }

    /// So often calls that wait are said to: well within the patience of whoever gives up what stands still.
    static let lookingPause = Duration.seconds(30)

    private let world: World
    private let state = Mutex(State())

    init(world: World) {
        self.world = world
    }

    /// Begins a call of the system's.
    /// - Parameters:
    ///   - finish: called exactly once, with an error as the system takes it; at once when the call is
    ///     cancelled, whatever the work does then.
    ///   - unheard: gets what the work has brought when the call was cancelled before anybody was told.
    func begin<Answer: Sendable>(
        _ work: @escaping @Sendable (CallProgress) async throws -> Answer,
        finish: @escaping @Sendable (Result<Answer, any Error>) -> Void,
        unheard: @escaping @Sendable (Answer) -> Void = { _ in }
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        let report = CallProgress(progress)
        let once = OnceAnswer(finish)
        let settle: @Sendable () -> Void = { _ = once.settle(.failure(CocoaError(.userCancelled))) }
        guard let number = enter(report, settle) else {
            settle()
            return progress
        }
        progress.cancellationHandler = { self.cancel(number) }
        let task = world.spawn {
            let result: Result<Answer, any Error>
            do {
                result = .success(try await work(report))
                report.finish()
            } catch {
                result = .failure(SystemError.of(error))
            }
            self.leave(number)
            if !once.settle(result), case .success(let answer) = result { unheard(answer) }
        }
        keep(task, number)
        watch()
        return progress
    }

    /// Begins work that nobody waits for. It ends with the registry.
    /// - Returns: by what number it is cancelled; nil when nothing begins any more.
    @discardableResult
    func spawn(_ work: @escaping @Sendable () async -> Void) -> Int? {
        guard let number = enter(nil, {}) else { return nil }
        let task = world.spawn {
            await work()
            self.leave(number)
        }
        keep(task, number)
        return number
    }

    /// Cancels what is under way. Nothing begins any more.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            state.watch?.cancel()
            defer { state.entries = [:] }
            return state.entries.sorted { $0.key < $1.key }.map(\.value)
        }
        for entry in entries {
            entry.settle()
            entry.task?.cancel()
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func enter(
        _ report: CallProgress?, _ settle: @escaping @Sendable () -> Void
    ) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.entries[state.last] = Entry(report: report, settle: settle)
            return state.last
        }
    }

    /// Calls wait for each other: for a place on the line, or to travel together. That may take longer than whoever
    /// gives up what stands still would wait; what stands still on the line, the connection gives up.
    private func watch() {
        state.withLock { state in
            guard state.watch == nil, !state.isClosed, !state.entries.isEmpty else { return }
            state.watch = world.spawn { [weak self, world] in
                while (try? await world.sleep(Self.lookingPause)) != nil {
                    guard self?.noteWaiting() == true else { return }
                }
            }
        }
    }

    /// - Returns: false when no call is left.
    private func noteWaiting() -> Bool {
        let reports: [CallProgress]? = state.withLock { state in
            let reports = state.entries.values.compactMap(\.report)
            guard reports.isEmpty else { return reports }
            state.watch = nil
            return nil
        }
        for report in reports ?? [] { report.waited() }
        return reports != nil
    }

    /// The work may be over by now, or cancelled before its task was known.
    private func keep(_ task: Task<Void, Never>, _ number: Int) {
        let isCancelled = state.withLock { state in
            guard state.entries[number] != nil else { return true }
            state.entries[number]?.task = task
            return false
        }
        if isCancelled { task.cancel() }
    }

    private func leave(_ number: Int) {
        state.withLock { _ = $0.entries.removeValue(forKey: number) }
    }

    func cancel(_ number: Int) {
        let entry = state.withLock { $0.entries.removeValue(forKey: number) }
        entry?.settle()
        entry?.task?.cancel()
    }
}
