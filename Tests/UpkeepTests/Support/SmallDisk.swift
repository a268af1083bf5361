import BasketSupport
import Synchronization

/// How full a server's disk is, by what lies in its blobs. The database is not counted: how large it is, is
/// not the tests' matter.
final class SmallDisk: Sendable {
    private let capacity: Int64
    private let real = LinuxFileSystem()
    private let state = Mutex((isHeld: false, held: Int64(0)))

    init(capacity: Int64 = 1 << 40) {
        self.capacity = capacity
    }

    /// From now on, removed files give nothing back: a snapshot has them.
    func takeSnapshot() {
        state.withLock { $0.isHeld = true }
    }

    func willRemove(_ path: String) {
        let size = (try? real.size(path)) ?? 0
        state.withLock { if $0.isHeld { $0.held += size } }
    }

    func availableBytes(in folder: String) -> Int64 {
        let blobs = folder + "/blobs"
        let fans = (try? real.list(blobs)) ?? []
        let used = fans.reduce(state.withLock { $0.held }) { sum, fan in
            let names = (try? real.list("\(blobs)/\(fan)")) ?? []
            return names.reduce(sum) { $0 + ((try? real.size("\(blobs)/\(fan)/\($1)")) ?? 0) }
        }
        return capacity - used
    }
}
