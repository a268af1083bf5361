import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// Barriers.
extension DomainHost {
    /// Returns when everything that was changed here in a folder until now, at any depth, has been acknowledged by
    /// the extension. What is only being moved into it does not count, so that the extension may wait for this while
    /// it is asked to move something.
    ///
    /// - Throws: `cannotSynchronize` with the item, when one of them is held back, fails again and again, or waits for
    ///   somebody to resolve what stands in its way.
    package func waitForChanges(below folder: NodeID) async throws {
        // Only those are looked at again: what comes later would have no end where somebody works.
        var left = try replica.read { try $0.asking() }
        try await burst.hurrying {
            while true {
                let count = replica.changes.count
                left = try await changesHere(among: left, below: folder)
                if left.isEmpty { return }
                try requireConnection()
                await replica.changes.wait(since: count)
                try await world.sleep(Self.pauseForEachChange * left.count)
            }
        }
    }

    /// Where much is waited for, it is not looked through after each change of anything.
    private static let pauseForEachChange = Duration.microseconds(200)
    /// So many are looked at without letting others work in between.
    private static let lookedAtOnce = 256

    private func changesHere(
        among changes: [AwaitedChange], below folder: NodeID
    ) async throws -> [AwaitedChange] {
        var found: [AwaitedChange] = []
        for few in changes.parts(of: Self.lookedAtOnce) {
            let changed = try replica.read { try $0.changesHere(among: few, below: folder) }
            for change in changed { try requireHope(change.node) }
            found += changed
            await Task.yield()
            try Task.checkCancellation()
        }
        return found
    }

    /// Returns when everything has come to the other side that was changed until now, on either: first here, then
    /// at the provider. Downloads are not waited for.
    ///
    /// - Throws: `cannotSynchronize` with the item, when nothing moves any more without somebody's help.
    package func waitForStabilisation() async throws {
        // What has failed may not fail any more.
        state.withLock { state in
            state.failures = 0
            state.failuresInRow = 0
            state.failure = nil
        }
        let look = lookAgainNow()
        signal()
        try await burst.hurrying { try await waitUntilStable(look) }
    }

    private func waitUntilStable(_ look: UInt64) async throws {
        try await waitForChangesUntilNow()
        // One that goes on already may have passed what is new. Asked before the signal, which may begin the next one at
        // once: behind that there is none to wait for.
        let round = state.withLock { $0.round } + 1
        signal()
        try await wait {
            state.withLock { state in
                state.completedRound >= round
                    && (settings.isInteractive || state.looks.ended >= look)
            }
        }
        try await waitForChangesUntilNow()
    }

    private func waitForChangesUntilNow() async throws {
        let mark = try replica.read { try $0.lastTurn() }
        try await wait { try !replica.read { try $0.isPending(upTo: mark) } }
    }

    /// Waits for as long as something moves.
    private func wait(until isOver: () throws -> Bool) async throws {
        while true {
            let count = replica.changes.count
            if try isOver() { return }
            try requireConnection()
            try requireMovement()
            await replica.changes.wait(since: count)
            try Task.checkCancellation()
        }
    }

    private func requireConnection() throws {
        guard let disconnection = try disconnection() else { return }
        throw NSFileProviderError(
            .providerDomainTemporarilyUnavailable,
            userInfo: [NSLocalizedDescriptionKey: disconnection.reason])
    }

    /// So often is something tried before it counts as stuck.
    private static let mostAttempts = 5

    private func requireMovement() throws {
        let (isBusy, isCatchingUp, failures, failure) = state.withLock {
            (!$0.busy.isEmpty, $0.isCatchingUp, $0.failuresInRow, $0.failure)
        }
        if let failure, !isCatchingUp,
            failures >= Self.mostAttempts || Reaction(failure.error) == .awaitResolution
        {
            throw failure.error
        }
        if isBusy { return }
        let now = world.now()
        guard let stuck = try replica.read({ try $0.stuck(after: Self.mostAttempts, at: now) })
        else {
            return
        }
        throw try hopeless(stuck, replica.read { try $0.trouble(of: stuck) })
    }

    /// What somebody has to resolve, and nothing else brings on.
    private static let hopeless: Set<Int> = [
        NSFileProviderError.Code.cannotSynchronize.rawValue,
        NSFileProviderError.Code.notAuthenticated.rawValue,
        NSFileProviderError.Code.insufficientQuota.rawValue,
    ]

    private func requireHope(_ id: NodeID) throws {
        let (isHeld, trouble) = try replica.read {
            (try $0.isHeld(removalOf: id), try $0.trouble(of: id))
        }
        if isHeld { throw try hopeless(id, nil) }
        guard let trouble else { return }
        // What is about to be tried again may be something else by now.
        if trouble.retry <= world.now() + Trouble.soon { return }
        let isForSomebody =
            trouble.domain == NSFileProviderErrorDomain && Self.hopeless.contains(trouble.code)
        let isTired =
            trouble.attempts >= Self.mostAttempts
        if isForSomebody || isTired { throw try hopeless(id, trouble) }
    }

    private func hopeless(_ id: NodeID, _ trouble: Trouble?) throws -> NSFileProviderError {
        var facts: [String: Any] = [
            NSLocalizedDescriptionKey: trouble?.message
                ?? "Many removals wait until somebody says that they are meant."
        ]
        facts[NSFileProviderErrorItemKey] = try replica.read { try $0.node(id)?.identifier }
        if let trouble {
            facts[NSUnderlyingErrorKey] = NSError(
                domain: trouble.domain, code: trouble.code,
                userInfo: [NSLocalizedDescriptionKey: trouble.message])
        }
        return NSFileProviderError(.cannotSynchronize, userInfo: facts)
    }
}
