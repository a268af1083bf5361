import BasketSupport
import Synchronization

/// A task that is begun once and ended once.
final class OneTask: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    func begin(_ world: World, _ body: @escaping @Sendable () async -> Void) {
        task.withLock { $0 = world.spawn(body) }
    }

    func end() async {
        let ending = task.withLock { $0.take() }
        ending?.cancel()
        await ending?.value
    }
}
