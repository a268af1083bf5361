import BasketSupport
import FileProviderReplica
import Foundation
import Glibc
import Synchronization

/// Where things were that are in the trash, as far as it was put there on this device; and the notes that programs are
/// only just writing about what they are going to put there.
final class TrashNotes: Sendable {
    /// A note that a program writes. The item that it is about comes after it.
    struct Draft: Sendable {
        let number: UInt64
        var bytes: [UInt8] = []
    }

    private struct State {
        /// By the numbers of nodes.
        var notes: [Int64: TrashNote] = [:]
        var log: TrashLog
        var drafts: [String: Draft] = [:]
        /// The numbers by which the kernel knows notes about nodes.
        var numbers: [Int64: UInt64] = [:]
        var nodes: [UInt64: Int64] = [:]
        var next = LocalNumber.firstNote
    }

    private static let mostDrafts = 1000
    /// Older ones are forgotten first.
    private static let mostNotes = 10_000
    static let longestDraft = 64 << 10

    private let world: World
    private let state: Mutex<State>

    /// - Parameter path: of the file in which they are kept.
    init(path: String, world: World) {
        self.world = world
        var state = State(log: TrashLog(path: path, world: world))
        state.notes = state.log.read()
        if state.notes.count > Self.mostNotes { Self.forgetOldest(in: &state.notes) }
        self.state = Mutex(state)
    }

    func note(_ node: NodeID) -> TrashNote? { state.withLock { $0.notes[node.rawValue] } }

    /// What cannot be kept is known for as long as this process lives.
    func keep(_ note: TrashNote, of node: NodeID) {
        state.withLock { state in
            guard state.notes[node.rawValue] != note else { return }
            state.notes[node.rawValue] = note
            if state.notes.count > Self.mostNotes { Self.forgetOldest(in: &state.notes) }
            do {
                try state.log.add(note, of: node.rawValue, to: state.notes)
            } catch {
                world.log.warning(
                    "it is not kept where something was that is in the trash",
                    ["error": .text("\(error)")])
            }
        }
    }

    /// Some at a time: it is looked through all of them for that.
    private static func forgetOldest(in notes: inout [Int64: TrashNote]) {
        let dates = notes.values.map(\.nanoseconds).sorted()
        let newest = dates[dates.count - mostNotes * 9 / 10]
        notes = notes.filter { $0.value.nanoseconds >= newest }
    }

    // MARK: Numbers

    func number(of node: NodeID) -> UInt64 {
        state.withLock { state in
            if let number = state.numbers[node.rawValue] { return number }
            state.next += 1
            state.numbers[node.rawValue] = state.next
            state.nodes[state.next] = node.rawValue
            return state.next
        }
    }

    func node(_ number: UInt64) -> NodeID? {
        state.withLock { $0.nodes[number].map(NodeID.init(rawValue:)) }
    }

    /// The kernel does not know it any more.
    func forget(_ number: UInt64) {
        state.withLock { state in
            guard let node = state.nodes.removeValue(forKey: number) else { return }
            state.numbers[node] = nil
        }
    }

    // MARK: Drafts

    func draft(_ name: String) -> Draft? { state.withLock { $0.drafts[name] } }

    func draft(_ number: UInt64) -> Draft? {
        state.withLock { state in state.drafts.values.first { $0.number == number } }
    }

    func begin(_ name: String) throws -> Draft {
        try state.withLock { state in
            if let draft = state.drafts[name] { return draft }
            guard state.drafts.count < Self.mostDrafts else { throw Refusal(ENOSPC) }
            state.next += 1
            let draft = Draft(number: state.next)
            state.drafts[name] = draft
            return draft
        }
    }

    func end(_ name: String) {
        state.withLock { _ = $0.drafts.removeValue(forKey: name) }
    }

    func rename(_ name: String, to other: String) {
        state.withLock { state in
            guard let draft = state.drafts.removeValue(forKey: name) else { return }
            state.drafts[other] = draft
        }
    }

    func change(_ number: UInt64, _ body: (inout [UInt8]) -> Void) throws {
        try state.withLock { state in
            guard let name = state.drafts.first(where: { $0.value.number == number })?.key else {
                throw Refusal(EACCES)
            }
            if var draft = state.drafts[name] {
                body(&draft.bytes)
                guard draft.bytes.count <= Self.longestDraft else { throw Refusal(EFBIG) }
                state.drafts[name] = draft
            }
        }
    }
}
