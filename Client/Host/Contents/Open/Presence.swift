import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

/// Shows the extension which files people have open to write to: by an enumerator of the file itself, which is there
/// for as long as anybody has. What is opened and closed at once is not shown.
final class Presence: Sendable {
    private struct Place {
        var users = 1
        let since: Duration
        var task: Task<Void, Never>?
    }

    private struct State {
        var places: [NodeID: Place] = [:]
        /// Waits until what was opened has been open for long enough: one for all, as most are closed before that.
        var watch: Task<Void, Never>?
    }

    private let replica: Replica
    private let calls: ExtensionCalls
    private let settings: HostSettings
    private let state = Mutex(State())

    /// How long an extension that does not answer, or has no such item yet, is left alone.
    private static let pause = Duration.seconds(30)

    init(replica: Replica, calls: ExtensionCalls, settings: HostSettings) {
        self.replica = replica
        self.calls = calls
        self.settings = settings
    }

    private var world: World { replica.world }

    func begin(_ id: NodeID) {
        let now = world.uptime()
        state.withLock { state in
            if state.places[id] != nil {
                state.places[id]?.users += 1
                return
            }
            state.places[id] = Place(since: now)
            if state.watch == nil { state.watch = world.spawn { await self.watch() } }
        }
    }

    func end(_ id: NodeID) {
        let task: Task<Void, Never>? = state.withLock { state in
            guard let place = state.places[id] else { return nil }
            guard place.users == 1 else {
                state.places[id]?.users -= 1
                return nil
            }
            state.places[id] = nil
            return place.task
        }
        task?.cancel()
    }

    /// Nobody is shown any more.
    func stop() {
        let tasks = state.withLock { state in
            defer { state = State() }
            return [state.watch].compactMap(\.self)
                + state.places.sorted { $0.key < $1.key }.compactMap(\.value.task)
        }
        for task in tasks { task.cancel() }
    }

    private func watch() async {
        while !Task.isCancelled, let pause = showWhatIsOpen() {
            try? await world.sleep(pause)
        }
    }

    /// - Returns: how long it is until something has been open for long enough; nil when nothing is, and who waits for that
    ///   ends.
    private func showWhatIsOpen() -> Duration? {
        let due = world.uptime() - settings.quietTime
        return state.withLock { state in
            let waiting = state.places.filter { $0.value.task == nil }
            for (id, place) in waiting.sorted(by: { $0.key < $1.key }) where place.since <= due {
                state.places[id]?.task = world.spawn { await self.show(id) }
            }
            let next = waiting.values.map(\.since).filter { $0 > due }.min()
            if next == nil { state.watch = nil }
            return next.map { $0 - due }
        }
    }

    private func show(_ id: NodeID) async {
        while !Task.isCancelled {
            do {
                try await hold(id)
            } catch {
                // Nothing depends on it.
                try? await world.sleep(Self.pause)
            }
        }
    }

    private func hold(_ id: NodeID) async throws {
        guard let node = try replica.read({ try $0.node(id) }), node.trees.remote != nil,
            let identifier = node.identifier
        else { throw LocalError.notFound }
        let enumerator = try calls.provider.enumerator(
            for: identifier, request: replica.request())
        defer { enumerator.invalidate() }
        _ = try await PageCollector.page(
            of: enumerator, from: .first, suggesting: WorkingSet.pageSize, calls)
        while true { try await world.sleep(.seconds(3600)) }
    }
}
