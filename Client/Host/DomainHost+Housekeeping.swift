import BasketSupport
import FileProviderReplica

// What is done when nobody waits for it.
extension DomainHost {
    /// So long a crash of the machine may take back what nobody asked to be durable.
    private static let pause = Duration.seconds(5)
    /// So long what was kept aside is there for whoever misses it.
    private static let keepsRescued = Duration.seconds(30 * 86_400)
    private static let keepsRemovals = Duration.seconds(86_400)
    /// What grows old, and a disk that others fill, is looked at now and then.
    private static let longestRest = Duration.seconds(600)

    /// Works some seconds after something has changed, and rarely else.
    func keepHouse() async {
        do {
            try await replica.removeStrays()
        } catch {
            world.log.warning("what a crash left cannot be removed", ["error": .text("\(error)")])
        }
        while !Task.isCancelled {
            let count = replica.changes.count
            do {
                try await replica.finishInterrupted(unless: openContents.isOpen)
                try await replica.synchronise()
                try await room.noteUse()
                if !settings.isInteractive { try await room.keep() }
                try await forget()
                try await replica.removeDiscarded()
                try await replica.tidyUnsent()
            } catch {
                world.log.warning("housekeeping failed", ["error": .text("\(error)")])
            }
            try? await waitForChange(since: count, atMost: Self.longestRest)
            try? await world.sleep(Self.pause)
        }
    }

    /// What has been kept for long enough.
    private func forget() async throws {
        let now = world.now()
        let isDue = try replica.read { reader in
            try reader.hasForgettable(
                rescued: now - Self.keepsRescued, removals: now - Self.keepsRemovals)
        }
        guard isDue else { return }
        try await replica.write { transaction in
            try transaction.forgetRescued(before: now - Self.keepsRescued)
            try transaction.forgetRemovals(before: now - Self.keepsRemovals)
            try transaction.forgetHydrations()
        }
    }
}
