import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// What the provider tells.
extension DomainHost {
    func followWorkingSet() async {
        while !Task.isCancelled {
            let count = replica.changes.count
            guard let round = beginCatchUp() else {
                await change(since: count)
                continue
            }
            let position = try? replica.read { try $0.feedPosition() }
            do {
                try await finishImport()
                try await workingSet.catchUp()
                try scheduleLook()
                state.withLock { state in
                    state.isCatchingUp = false
                    state.completedRound = round
                    state.failures = 0
                    state.failuresInRow = 0
                    state.failure = nil
                }
                // Who waits until nothing is left to do looks again.
                replica.changes.poke()
                try await noteAnswer()
            } catch {
                await recover(from: error, since: position)
            }
        }
    }

    /// What is here is offered to the provider before that tells what it has: else all of it would be here twice for
    /// a while.
    private func finishImport() async throws {
        guard try replica.read({ try $0.isImporting() }) else { return }
        while true {
            let count = replica.changes.count
            if outage.isStanding {
                // What nobody can be asked about is not offered.
                try await sitOutOutage(since: count)
            } else if try replica.read({ try $0.hasUnoffered() }) {
                await replica.changes.wait(since: count)
            } else {
                break
            }
            try Task.checkCancellation()
        }
        try await tellOfImport()
    }

    /// Returns when that may be over, or something has changed. Where all that is here waits for it, nobody else finds out.
    private func sitOutOutage(since count: UInt64) async throws {
        if let (_, left) = outage.standing(at: world.uptime(), pause: probePause) {
            return try await waitForChange(since: count, atMost: left)
        }
        do {
            _ = try await workingSet.item(.rootContainer)
            try await noteAnswer()
        } catch  where NSFileProviderError(bridging: error) != nil && !Outage.isOne(error) {
            // That is an answer, too.
            try await noteAnswer()
        } catch  where Outage.isOne(error) {
            // It stands until the next look.
        }
    }

    /// What is here was offered, all of it.
    func tellOfImport() async throws {
        do {
            try await calls.tell { await $0.importDidFinish() }
        } catch  where CallWatch.hasGivenUp(because: error) {
            // It was told; that it takes its time is no reason to take nothing in.
        }
        try await replica.write { try $0.endImport() }
    }

    /// - Returns: the round that has begun; nil when nothing was signalled, or nobody may be asked.
    private func beginCatchUp() -> UInt64? {
        guard state.withLock({ $0.isSignalled }) else { return nil }
        // A replica that cannot be read is said to be so by whoever comes next.
        guard (try? calls.isConnected()) == true else { return nil }
        return state.withLock { state in
            guard state.isSignalled else { return nil }
            state.isSignalled = false
            state.isCatchingUp = true
            state.round += 1
            return state.round
        }
    }

    private func recover(from error: any Error, since position: FeedPosition?) async {
        let failure = Failure(error: error)
        let isExpired = Reaction(error) == .anchorExpired
        let hasComeOn = !isExpired && self.hasComeOn(since: position)
        let isDisconnected = if case HostError.disconnected = error { true } else { false }
        let (failures, signals) = state.withLock { state in
            state.isSignalled = true
            state.isCatchingUp = false
            if !isDisconnected {
                state.failures = hasComeOn ? 1 : state.failures + 1
                state.failuresInRow = hasComeOn ? 1 : state.failuresInRow + 1
                state.failure = failure
            }
            return (state.failures, state.signals)
        }
        replica.changes.poke()
        if isDisconnected { return }
        world.log.warning("the working set fails", ["error": .text("\(error)")])
        if isExpired { try? await replica.write { try $0.beginAnew() } }
        let pause = Self.retryPause.after(failures: failures, jitter: jitter())
        await rest(for: pause, unlessSignalledSince: signals)
        // What had failed before says nothing of how it is now.
        state.withLock { if $0.signals != signals { $0.failures = 0 } }
    }

    /// What fails in between only, as on a line that loses some answers, is asked for again soon.
    private func hasComeOn(since position: FeedPosition?) -> Bool {
        guard let position, let now = try? replica.read({ try $0.feedPosition() }) else {
            return false
        }
        return now.hasComeOn(since: position)
    }

    /// Somebody who says that there is something to hear may know that the provider answers again.
    func rest(for pause: Duration, unlessSignalledSince signals: UInt64) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.world.sleep(pause) }
            group.addTask {
                while !Task.isCancelled {
                    let count = self.replica.changes.count
                    if self.state.withLock({ $0.signals }) != signals { return }
                    await self.replica.changes.wait(since: count)
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
