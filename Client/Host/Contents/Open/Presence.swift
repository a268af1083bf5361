import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

/// Shows the extension which files people have open to write to: by an enumerator of the file itself, which is there
/// for as long as anybody has. What is opened and closed at once is not shown.
final class Presence: Sendable {
    private struct Place {
        var users = 0
        var task: Task<Void, Never>?
    }

    private let replica: Replica
    private let calls: ExtensionCalls
    private let settings: HostSettings
    private let places = Mutex<[NodeID: Place]>([:])

    /// How long an extension that does not answer, or has no such item yet, is left alone.
    private static let pause = Duration.seconds(30)

    init(replica: Replica, calls: ExtensionCalls, settings: HostSettings) {
        self.replica = replica
        self.calls = calls
        self.settings = settings
    }

    private var world: World { replica.world }

    func begin(_ id: NodeID) {
        let isFirst = places.withLock { places in
            places[id, default: Place()].users += 1
            return places[id]?.users == 1
        }
        guard isFirst else { return }
        let task = world.spawn { await self.show(id) }
        let isOver = places.withLock { places in
            guard places[id] != nil, places[id]?.task == nil else { return true }
            places[id]?.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    func end(_ id: NodeID) {
        let task: Task<Void, Never>? = places.withLock { places in
            guard var place = places[id] else { return nil }
            place.users -= 1
            places[id] = place.users > 0 ? place : nil
            return place.users > 0 ? nil : place.task
        }
        task?.cancel()
    }

    /// Nobody is shown any more.
    func stop() {
        let tasks = places.withLock { places in
            defer { places = [:] }
            return places.sorted { $0.key < $1.key }.compactMap(\.value.task)
        }
        for task in tasks { task.cancel() }
    }

    private func show(_ id: NodeID) async {
        try? await world.sleep(settings.quietTime)
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
