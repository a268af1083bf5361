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
        /// Whether the kernel was answered by this process when it did.
        var isOwn = true
    }

    /// What is open by one number.
    private struct Opening {
        var handles: Set<UInt64> = []
        /// Whether the kernel has no other bytes by that number than those that are open by it.
        var isClean = false
    }

    private struct State {
        var files: [UInt64: Opened] = [:]
        var openings: [UInt64: Opening] = [:]
        var folders: [UInt64: FolderStream] = [:]
        var next: UInt64

        /// - Returns: what stood there before.
        @discardableResult
        mutating func set(_ opened: Opened?, at handle: UInt64) -> OpenFile? {
            let before = files[handle]
            if let before {
                openings[before.number]?.handles.remove(handle)
                if openings[before.number]?.handles.isEmpty == true {
                    openings[before.number] = nil
                }
            }
            files[handle] = opened
            if let opened { openings[opened.number, default: Opening()].handles.insert(handle) }
            return before?.file
        }

        func file(openedAs number: UInt64) -> OpenFile? {
            openings[number]?.handles.first.flatMap { files[$0] }?.file
        }
    }

    private let state: Mutex<State>

    init(world: World) {
        // Far from those of any process before.
        state = Mutex(State(next: world.randomUInt64() & ~0xffff_ffff))
    }

    /// - Returns: nil, and it is not there, where others have other bytes open by the same number: to the kernel, they would
    ///   be the same.
    func add(_ file: OpenFile, as number: UInt64) -> UInt64? {
        state.withLock { state in
            if let other = state.file(openedAs: number), !other.isSame(as: file) { return nil }
            state.next &+= 1
            state.set(Opened(file: file, number: number), at: state.next)
            return state.next
        }
    }

    /// Somebody reads or writes by a handle: of what the kernel was not to keep when that was opened, it has nothing any more.
    /// - Returns: the file; and by what number it is open, where that is news.
    func use(_ handle: UInt64) -> (file: OpenFile, cleaned: UInt64?)? {
        state.withLock { state in
            guard let opened = state.files[handle] else { return nil }
            if !opened.isOwn || state.openings[opened.number]?.isClean == true {
                return (opened.file, nil)
            }
            state.openings[opened.number]?.isClean = true
            return (opened.file, opened.number)
        }
    }

    func isClean(_ number: UInt64) -> Bool {
        state.withLock { $0.openings[number]?.isClean ?? false }
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

    /// - Returns: false, and it is not there, where others have other bytes open by the same number; and what stood there.
    func set(
        _ file: OpenFile, as number: UInt64, at handle: UInt64
    ) -> (isSet: Bool, before: OpenFile?) {
        state.withLock { state in
            if let other = state.file(openedAs: number), !other.isSame(as: file) {
                return (false, nil)
            }
            let opened = Opened(
                file: file, number: number, isOwn: state.files[handle]?.isOwn ?? false)
            return (true, state.set(opened, at: handle))
        }
    }

    /// What somebody has open by a number, if anybody has.
    func file(openedAs number: UInt64) -> OpenFile? {
        state.withLock { $0.file(openedAs: number) }
    }

    func remove(fileAt handle: UInt64) -> OpenFile? {
        state.withLock { $0.set(nil, at: handle) }
    }

    func set(_ stream: FolderStream?, at handle: UInt64) {
        state.withLock { $0.folders[handle] = stream }
    }
}
