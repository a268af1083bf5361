import BasketSupport
import FileProviderHost
import Synchronization

/// What programs have open, by the numbers that the kernel was given. Those of a process before this one are nobody's
/// here: what they stood for is opened anew.
final class Handles: Sendable {
    private struct State {
        var files: [UInt64: OpenFile] = [:]
        var folders: [UInt64: FolderStream] = [:]
        var next: UInt64
    }

    private let state: Mutex<State>

    init(world: World) {
        // Far from those of any process before.
        state = Mutex(State(next: world.randomUInt64() & ~0xffff_ffff))
    }

    func add(_ file: OpenFile) -> UInt64 {
        state.withLock { state in
            state.next &+= 1
            state.files[state.next] = file
            return state.next
        }
    }

    func add(_ stream: FolderStream) -> UInt64 {
        state.withLock { state in
            state.next &+= 1
            state.folders[state.next] = stream
            return state.next
        }
    }

    func file(_ handle: UInt64) -> OpenFile? { state.withLock { $0.files[handle] } }
    func folder(_ handle: UInt64) -> FolderStream? { state.withLock { $0.folders[handle] } }

    /// - Returns: what stood there before.
    @discardableResult
    func set(_ file: OpenFile?, at handle: UInt64) -> OpenFile? {
        state.withLock { state in
            defer { state.files[handle] = file }
            return state.files[handle]
        }
    }

    func set(_ stream: FolderStream?, at handle: UInt64) {
        state.withLock { $0.folders[handle] = stream }
    }
}
