import BasketSupport
import FileProviderReplica
import Foundation
import Glibc
import Synchronization

/// The FIFOs, sockets and devices of a domain's folder. No provider hears of them; they are noted in a file, and are there
/// again after a restart. What has a name in the domain has it before them.
final class SpecialFiles: Sendable {
    private struct State {
        var files: [UInt64: SpecialFile] = [:]
        var next = LocalNumber.firstSpecial
    }

    /// Nobody needs more places to meet.
    private static let most = 10_000

    private let notes: NoteFile<[SpecialFile]>
    private let world: World
    private let state: Mutex<State>

    /// - Parameter path: of the file in which they are noted.
    init(path: String, world: World) {
        notes = NoteFile(path: path, world: world)
        self.world = world
        var state = State()
        for file in notes.read() ?? [] {
            state.files[file.number] = file
            state.next = max(state.next, file.number + 1)
        }
        self.state = Mutex(state)
    }

    static func isSpecial(_ mode: UInt32) -> Bool {
        [S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK].contains(mode & S_IFMT)
    }

    var isEmpty: Bool { state.withLock { $0.files.isEmpty } }

    func file(_ number: UInt64) -> SpecialFile? { state.withLock { $0.files[number] } }

    func file(_ name: String, in folder: UInt64) -> SpecialFile? {
        state.withLock { state in
            guard !state.files.isEmpty else { return nil }
            return state.files.values.first {
                $0.folder == Int64(bitPattern: folder) && $0.name.hasSameBytes(as: name)
            }
        }
    }

    /// Those in a folder, by their numbers.
    func files(in folder: NodeID) -> [SpecialFile] {
        state.withLock { state in
            state.files.values.filter { $0.folder == folder.rawValue }
                .sorted { $0.number < $1.number }
        }
    }

    // MARK: Changes

    func make(
        _ name: String, in folder: UInt64, mode: UInt32, device: UInt64
    ) throws -> SpecialFile {
        let now = world.now().nanoseconds
        return try change { state in
            guard state.files.count < Self.most else { throw Refusal(ENOSPC) }
            let file = SpecialFile(
                number: state.next, folder: Int64(bitPattern: folder), name: name, mode: mode,
                device: device, accessed: now, modified: now)
            state.next += 1
            state.files[file.number] = file
            return file
        }
    }

    func update(
        _ number: UInt64, _ body: (inout SpecialFile) -> Void
    ) throws -> SpecialFile {
        try change { state in
            guard var file = state.files[number] else { throw LocalError.notFound }
            body(&file)
            state.files[number] = file
            return file
        }
    }

    func remove(_ number: UInt64) throws {
        try change { state in _ = state.files.removeValue(forKey: number) }
    }

    private func change<Result>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            let before = state
            do {
                let result = try body(&state)
                try notes.write(state.files.values.sorted { $0.number < $1.number })
                return result
            } catch {
                state = before
                throw error
            }
        }
    }
}
