import BasketSupport
import FileProviderHost
import FileProviderReplica
import Synchronization

/// What programs have open, by the numbers that the kernel was given. Those of a process before this one are nobody's
/// here: what they stood for is opened anew.
final class Handles: Sendable {
    private struct Opened {
        let file: OpenFile
        /// By what the kernel knows what it has opened.
        let number: UInt64
    }

    private struct State {
        var files: [UInt64: Opened] = [:]
        /// Their handles, by the number.
        var openings: [UInt64: Set<UInt64>] = [:]
        var folders: [UInt64: FolderStream] = [:]
        var next: UInt64

        /// - Returns: what stood there before.
        @discardableResult
        mutating func set(_ opened: Opened?, at handle: UInt64) -> OpenFile? {
            let before = files[handle]
            if let before {
                openings[before.number]?.remove(handle)
                if openings[before.number]?.isEmpty == true { openings[before.number] = nil }
            }
            files[handle] = opened
            if let opened { openings[opened.number, default: []].insert(handle) }
            return before?.file
        }
    }

    private let state: Mutex<State>

    init(world: World) {
        // Far from those of any process before.
        state = Mutex(State(next: world.randomUInt64() & ~0xffff_ffff))
    }

    /// - Returns: whether it is the only one by that number; nil, and it is not there, where others have other bytes open
    ///   by the same: to the kernel, they would be the same.
    func add(_ file: OpenFile, as number: UInt64) -> (handle: UInt64, isAlone: Bool)? {
        state.withLock { state in
            let others = state.openings[number]
            if let other = others?.first.flatMap({ state.files[$0] }), !other.file.isSame(as: file)
            {
                return nil
            }
            state.next &+= 1
            state.set(Opened(file: file, number: number), at: state.next)
            return (state.next, others == nil)
        }
    }

    /// For a folder of which nothing is listed yet.
    func next() -> UInt64 {
        state.withLock { state in
            state.next &+= 1
            return state.next
        }
    }

    func file(_ handle: UInt64) -> OpenFile? { state.withLock { $0.files[handle]?.file } }
    func folder(_ handle: UInt64) -> FolderStream? { state.withLock { $0.folders[handle] } }

    /// - Returns: what stood there before.
    func set(_ file: OpenFile, as number: UInt64, at handle: UInt64) -> OpenFile? {
        state.withLock { $0.set(Opened(file: file, number: number), at: handle) }
    }

    /// What somebody has open by a number, if anybody has.
    func file(openedAs number: UInt64) -> OpenFile? {
        state.withLock { state in
            state.openings[number]?.first.flatMap { state.files[$0] }?.file
        }
    }

    func remove(fileAt handle: UInt64) -> OpenFile? {
        state.withLock { $0.set(nil, at: handle) }
    }

    func set(_ stream: FolderStream?, at handle: UInt64) {
        state.withLock { $0.folders[handle] = stream }
    }
}
