import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// Counts what is on its way in one direction. New transfers add to a running total, which begins anew once
/// nothing has been on its way for a moment: between two parts of a file there is not.
final class Transfers: Sendable {
    private struct State {
        var running: [UInt64: Transfer] = [:]
        var next: UInt64 = 0
        /// What the extension shows by itself, by item: in place of what its calls say.
        var registered: [String: RegisteredProgress] = [:]
        /// Of those that have ended.
        var completedFiles: Set<String> = []
        var completedBytes: Int64 = 0
        /// Since when nothing has been on its way.
        var idleSince: Duration?
        /// Once somebody has asked for it.
        var shown: GlobalProgress?

        var isIdle: Bool { running.isEmpty && registered.isEmpty }
    }

    private let kind: Progress.FileOperationKind
    private let world: World
    private let didBegin: @Sendable () -> Void
    private let state = Mutex(State())

    /// So long nothing is on its way before the total begins anew.
    private static let pause = Duration.seconds(1)

    /// - Parameter didBegin: has `follow` go on, if somebody looks.
    init(
        _ kind: Progress.FileOperationKind, world: World, didBegin: @escaping @Sendable () -> Void
    ) {
        self.kind = kind
        self.world = world
        self.didBegin = didBegin
    }

    /// - Returns: a number by which it is ended.
    func begin(_ transfer: Transfer) -> UInt64 {
        let now = world.uptime()
        let (number, isShown) = state.withLock { state in
            Self.forget(&state, now)
            state.idleSince = nil
            state.next += 1
            state.running[state.next] = transfer
            return (state.next, state.shown != nil)
        }
        if isShown { didBegin() }
        return number
    }

    /// What has not come through is not counted: it is begun again.
    func end(_ number: UInt64, isComplete: Bool) {
        let now = world.uptime()
        state.withLock { state in
            guard let transfer = state.running.removeValue(forKey: number) else { return }
            // What was shown in its place has ended with it.
            let shown = state.registered.removeValue(forKey: transfer.item)
            if isComplete {
                state.completedFiles.insert(transfer.item)
                state.completedBytes += shown?.size ?? transfer.size
            }
            if state.isIdle { state.idleSince = now }
        }
    }

    /// Shows a progress for an item until it has finished, or is cancelled or given up: one for each item.
    func register(_ progress: Progress, for item: String) {
        let now = world.uptime()
        let isShown = state.withLock { state in
            Self.forget(&state, now)
            state.idleSince = nil
            state.registered[item] = RegisteredProgress(progress)
            return state.shown != nil
        }
        if isShown { didBegin() }
    }

    func unregister(_ item: String) {
        let now = world.uptime()
        state.withLock { state in
            guard state.registered.removeValue(forKey: item) != nil else { return }
            if state.isIdle { state.idleSince = now }
        }
    }

    /// What is on its way of one item: its bytes, and how many of them have come through.
    func transfer(of item: String) -> (bytes: Int64, completed: Int64)? {
        let now = world.uptime()
        let moving = state.withLock { state in
            Self.settle(&state, now)
            return Self.moving(state).filter { $0.item == item }
        }
        if moving.isEmpty { return nil }
        return (
            moving.reduce(0) { $0 + $1.size }, moving.reduce(0) { $0 + $1.completed }
        )
    }

    /// All that is on its way, item by item, in the order of their identifiers.
    var items: [(item: String, bytes: Int64, completed: Int64)] {
        let now = world.uptime()
        let moving = state.withLock { state in
            Self.settle(&state, now)
            return Self.moving(state)
        }
        return Dictionary(grouping: moving, by: \.item).sorted { $0.key < $1.key }.map {
            item, parts in
            (item, parts.reduce(0) { $0 + $1.size }, parts.reduce(0) { $0 + $1.completed })
        }
    }

    /// What is on its way: of an item that is shown by itself, that.
    private static func moving(_ state: State) -> [Transfer] {
        state.running.values.filter { state.registered[$0.item] == nil }
            + state.registered.map { item, shown in
                Transfer(item: item, size: shown.size) { shown.fraction }
            }
    }

    /// Nobody tells when what the extension shows has ended.
    private static func settle(_ state: inout State, _ now: Duration) {
        let ended = state.registered.filter { $0.value.isOver }
        for (item, shown) in ended {
            state.registered[item] = nil
            // A call that goes on says itself how far it is.
            let isCalled = state.running.values.contains { $0.item == item }
            guard shown.isComplete, !isCalled else { continue }
            state.completedFiles.insert(item)
            state.completedBytes += shown.size
        }
        if !ended.isEmpty, state.isIdle { state.idleSince = now }
        forget(&state, now)
    }

    private static func forget(_ state: inout State, _ now: Duration) {
        guard let since = state.idleSince, now - since >= pause else { return }
        state.completedFiles = []
        state.completedBytes = 0
        state.idleSince = nil
    }

    /// All of them as one, which goes on to be right.
    var progress: Progress {
        let shown = state.withLock { state in
            let shown = state.shown ?? GlobalProgress(kind)
            state.shown = shown
            return shown
        }
        shown.show(totals)
        didBegin()
        return shown.progress
    }

    /// Shows how far they have come, if somebody looks.
    /// - Returns: whether that is going to be something else soon.
    func show() -> Bool {
        guard let shown = state.withLock({ $0.shown }) else { return false }
        let totals = totals
        shown.show(totals)
        return !totals.isIdle
    }

    var totals: TransferTotals {
        let now = world.uptime()
        let (running, ended, bytes) = state.withLock { state in
            Self.settle(&state, now)
            return (Self.moving(state), state.completedFiles, state.completedBytes)
        }
        let moving = Set(running.map(\.item))
        var totals = TransferTotals()
        totals.completedFiles = ended.subtracting(moving).count
        totals.files = ended.union(moving).count
        totals.completedBytes = bytes + running.reduce(0) { $0 + $1.completed }
        totals.bytes = bytes + running.reduce(0) { $0 + $1.size }
        return totals
    }
}
