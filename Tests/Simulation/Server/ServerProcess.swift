import BasketAPI
import BasketBlobs
import BasketStore
import BasketSupport
import Synchronization

/// A server that runs, until it is told to stop or dies between two steps.
final class ServerProcess: Sendable {
    let service: Service
    let store: Store
    let blobs: FolderBlobStore
    let world: World
    /// Nil for one that nothing happens to: whoever asks it waits with it.
    private let process: SimulatedProcess?
    private let lines = Mutex((next: 0, ends: [Int: @Sendable () -> Void]()))

    init(
        _ process: SimulatedProcess?, service: Service, store: Store, blobs: FolderBlobStore,
        world: World
    ) {
        self.process = process
        self.service = service
        self.store = store
        self.blobs = blobs
        self.world = world
    }

    var isMortal: Bool { process != nil }
    var isDead: Bool { process?.isDead ?? false }

    /// Whoever is connected hears it when the server dies.
    func connect(_ end: @escaping @Sendable () -> Void) -> Int {
        lines.withLock { lines in
            lines.next += 1
            lines.ends[lines.next] = end
            return lines.next
        }
    }

    func disconnect(_ number: Int) {
        lines.withLock { _ = $0.ends.removeValue(forKey: number) }
    }

    func kill() {
        process?.kill()
        let ends = lines.withLock { lines in
            defer { lines.ends = [:] }
            return lines.ends
        }
        for (_, end) in ends.sorted(by: { $0.key < $1.key }) { end() }
        store.close()
    }
}
