import BasketSupport
import FileProviderHost
import FileProviderReplica
import Synchronization

/// What programs have open, by the numbers that the kernel was given. Those of a process before this one are nobody's
/// here: what they stood for is opened anew.
final class Handles: Sendable {
    /// A file, and the kernel's moment at which what it shows was what the node holds.
    struct Opened {
        let file: OpenFile
        /// What the kernel has opened: it may be another one's by now.
        let node: NodeID
        var moment: UInt64
    }

    private struct State {
        var files: [UInt64: Opened] = [:]
        var folders: [UInt64: FolderStream] = [:]
        var next: UInt64
    }

    private let state: Mutex<State>

    init(world: World) {
        // Far from those of any process before.
        state = Mutex(State(next: world.randomUInt64() & ~0xffff_ffff))
    }

    func add(_ file: OpenFile, of node: NodeID, since moment: UInt64) -> UInt64 {
        state.withLock { state in
            state.next &+= 1
            state.files[state.next] = Opened(file: file, node: node, moment: moment)
            return state.next
        }
    }

    /// For a folder of which nothing is listed yet.
    func next() -> UInt64 {
        state.withLock { state in
            state.next &+= 1
            return state.next
        }
    }

    func file(_ handle: UInt64) -> OpenFile? { opened(handle)?.file }
    func opened(_ handle: UInt64) -> Opened? { state.withLock { $0.files[handle] } }
    func folder(_ handle: UInt64) -> FolderStream? { state.withLock { $0.folders[handle] } }

    /// - Returns: what stood there before.
    @discardableResult
    func set(
        _ file: OpenFile, of node: NodeID, since moment: UInt64, at handle: UInt64
    ) -> OpenFile? {
        state.withLock { state in
            state.files.updateValue(
                Opened(file: file, node: node, moment: moment), forKey: handle)?.file
        }
    }

    /// What somebody has open still of a node that may be gone.
    func file(openedAs node: NodeID) -> OpenFile? {
        state.withLock { $0.files.values.first { $0.node == node }?.file }
    }

    func remove(fileAt handle: UInt64) -> OpenFile? {
        state.withLock { $0.files.removeValue(forKey: handle)?.file }
    }

    /// What it shows was what the node held at that moment, too.
    func note(_ moment: UInt64, at handle: UInt64) {
        state.withLock { $0.files[handle]?.moment = moment }
    }

    func set(_ stream: FolderStream?, at handle: UInt64) {
        state.withLock { $0.folders[handle] = stream }
    }
}
