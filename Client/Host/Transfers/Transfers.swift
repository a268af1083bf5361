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
        /// Of those that have ended.
        var completedFiles: Set<String> = []
        var completedBytes: Int64 = 0
        /// Since when nothing has been on its way.
        var idleSince: Duration?
        /// Once somebody has asked for it.
        var shown: GlobalProgress?
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
            if isComplete {
                state.completedFiles.insert(transfer.item)
                state.completedBytes += transfer.size
            }
            if state.running.isEmpty { state.idleSince = now }
        }
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
            Self.forget(&state, now)
            return (Array(state.running.values), state.completedFiles, state.completedBytes)
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
