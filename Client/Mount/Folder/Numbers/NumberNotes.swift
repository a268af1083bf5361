import BasketSupport
import FileProviderReplica
import Synchronization

/// Notes by which numbers the kernel knows nodes, where these are not the nodes' own. A mount outlives the process that
/// answers for it: what the kernel was told by one, the next one has to know. It does not outlive the machine's crash, so that
/// nothing here waits for a disk.
///
/// The file is a list of changes: a node and its number, each as eight bytes.
final class NumberNotes: Sendable {
    private struct State {
        var file: (any File)?
        /// Where the next one goes.
        var end: Int64 = 0
        var live: [NodeID: UInt64] = [:]
        /// Whether that was said.
        var hasFailed = false
    }

    /// Stands for the number of one that is gone, whose own is another one's.
    static let none: UInt64 = 0
    private static let length = 16
    /// A list that is longer, and has more that is outdated, is made anew.
    private static let longest: Int64 = 1 << 20

    private let path: String
    private let world: World
    private let state = Mutex(State())

    init(path: String, world: World) {
        self.path = path
        self.world = world
    }

    /// - Parameter isResumed: whether what a process before this one has noted is so still.
    /// - Returns: that.
    func begin(isResumed: Bool) -> [NodeID: UInt64] {
        state.withLock { state in
            if isResumed {
                state.live = read()
            } else {
                // Whatever comes, nobody believes that any more.
                try? world.files.remove(path)
            }
            makeAnew(&state)
            return state.live.filter { $0.value != Self.none }
        }
    }

    private func read() -> [NodeID: UInt64] {
        var live: [NodeID: UInt64] = [:]
        do {
            let bytes = try world.files.contents(of: path)
            bytes.withUnsafeBytes { buffer in
                for start in stride(from: 0, through: buffer.count - Self.length, by: Self.length) {
                    let node = buffer.loadUnaligned(fromByteOffset: start, as: Int64.self)
                    let number = buffer.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
                    Self.set(number, of: NodeID(rawValue: Int64(littleEndian: node)), in: &live)
                }
            }
        } catch let error where error.isMissing {
            return [:]
        } catch {
            world.log.warning(
                "what the kernel was told of open files is not known",
                ["file": .text(path), "error": .text("\(error)")])
        }
        // Of an exchange of which only one half is there, that one holds whose bytes it is about.
        return live.filter { node, number in
            let owner = NodeID(rawValue: Int64(bitPattern: number))
            return number == Self.none || LocalNumber.isFresh(number) || live[owner] != nil
                || node == owner
        }
    }

    private static func set(_ number: UInt64, of node: NodeID, in live: inout [NodeID: UInt64]) {
        let number = UInt64(littleEndian: number)
        live[node] = number == UInt64(bitPattern: node.rawValue) ? nil : number
    }

    /// All of them, or none.
    func note(_ changes: [(number: UInt64, node: NodeID)]) {
        state.withLock { state in
            for (number, node) in changes {
                Self.set(number.littleEndian, of: node, in: &state.live)
            }
            let isLong =
                state.end > Self.longest
                && state.end / Int64(Self.length) > 4 * Int64(state.live.count)
            // Where something could not be noted, there may be room by now.
            if isLong || state.file == nil { return makeAnew(&state) }
            append(changes.flatMap { Self.bytes($0.node, $0.number) }, &state)
        }
    }

    private static func bytes(_ node: NodeID, _ number: UInt64) -> [UInt8] {
        let words = (node.rawValue.littleEndian, number.littleEndian)
        return withUnsafeBytes(of: words) { Array($0) }
    }

    private func makeAnew(_ state: inout State) {
        do {
            // What there is stays until all is in the new one.
            let draft = path + ".new"
            if world.files.exists(draft) { try world.files.remove(draft) }
            let file = try world.files.create(draft)
            let bytes = state.live.flatMap { Self.bytes($0.key, $0.value) }
            try file.write(bytes, at: 0)
            try world.files.rename(draft, to: path)
            (state.file, state.end) = (file, Int64(bytes.count))
        } catch {
            noteFailure(error, &state)
        }
    }

    private func append(_ bytes: [UInt8], _ state: inout State) {
        do {
            try state.file?.write(bytes, at: state.end)
            state.end += Int64(bytes.count)
        } catch {
            noteFailure(error, &state)
        }
    }

    /// As on a full disk. A process after this one then takes some files that programs have open for gone.
    private func noteFailure(_ error: any Error, _ state: inout State) {
        state.file = nil
        guard !state.hasFailed else { return }
        state.hasFailed = true
        world.log.warning(
            "what the kernel is told of open files cannot be noted",
            ["file": .text(path), "error": .text("\(error)")])
    }
}
