import BasketSupport
import FileProviderReplica
import Synchronization

// What is done when nobody waits for it.
extension DomainHost {
    /// So long a crash of the machine may take back what nobody asked to be durable.
    private static let pause = Duration.seconds(5)
    /// So long what was kept aside is there for whoever misses it, not counting the time in which nothing ran here.
    private static let keepsRescued = Duration.seconds(30 * 86_400)
    /// So much of that is noted at once, and never more than twice as much: the machine may have slept.
    private static let agingStep = longestRest
    private static let keepsRemovals = Duration.seconds(86_400)
    /// What grows old, and a disk that others fill, is looked at now and then.
    private static let longestRest = Duration.seconds(600)
    /// Programs that write past everybody are looked at more often.
    private static let shortRest = Duration.seconds(10)

    /// Works some seconds after something has changed, and rarely else.
    func keepHouse() async {
        do {
            try await replica.removeStrays()
        } catch {
            world.log.warning("what a crash left cannot be removed", ["error": .text("\(error)")])
        }
        var aged = world.uptime()
        while !Task.isCancelled {
            let count = replica.changes.count
            takeUpChoices()
            var rest = Self.longestRest
            await attempt { if try await replica.settleWriters() { rest = Self.shortRest } }
            await attempt { try noteHeldRemovals() }
            await attempt { try await wake(await openContents.noteClosed()) }
            await attempt { try await replica.finishInterrupted(unless: openContents.isOpen) }
            await attempt { [replica] in
                try await world.aside { try await replica.synchronise() }
            }
            await attempt { try await room.noteUse() }
            await attempt { if !settings.isInteractive { try await room.keep() } }
            await attempt { aged = try await ageRescued(since: aged) }
            await attempt { try await forget() }
            await attempt { try await replica.removeDiscarded() }
            await attempt { try await replica.tidyUnsent() }
            await attempt { try await replica.keepBallast() }
            if openContents.hasUnnoted { rest = Self.shortRest }
            try? await waitForChange(since: count, atMost: rest)
            try? await world.sleep(Self.pause)
        }
    }

    /// What the person who owns this machine has chosen holds from now on.
    func takeUpChoices() {
        guard let choices = settings.choices() else { return }
        room.limits = choices.limits
        let rules = choices.rules(over: settings.nonMaterialising)
        programs.withLock { $0 = rules }
    }

    /// So long a crash of the machine may take back that something was made, named or changed here.
    private static let longestLate = Duration.seconds(1)

    /// Has what programs change on the disk soon, also while nobody is told of it.
    func keepCommits() async {
        while !Task.isCancelled {
            let count = replica.changes.count
            do {
                try await replica.makeCommitsDurable()
                await replica.changes.wait(since: count)
            } catch {
                world.log.warning(
                    "what was changed is not on the disk", ["error": .text("\(error)")])
            }
            try? await world.sleep(Self.longestLate)
        }
    }

    /// What fails keeps nothing else from being done: on a full disk, least of all what makes room.
    private func attempt(_ chore: () async throws -> Void) async {
        if Task.isCancelled { return }
        do {
            try await chore()
        } catch {
            world.log.warning("housekeeping failed", ["error": .text("\(error)")])
        }
    }

    /// Says once that many removals wait until somebody says that they are meant.
    private func noteHeldRemovals() throws {
        let held = try replica.read { try $0.heldRemovals() }
        let isNews = state.withLock { state in
            defer { state.holdsRemovals = held > 0 }
            return held > 0 && !state.holdsRemovals
        }
        guard isNews else { return }
        world.log.warning(
            "many removals at once are held back until they are confirmed, or taken back",
            ["count": .number(Int64(held))])
    }

    /// What was kept aside is nowhere else: it goes by no clock that somebody may set.
    /// - Returns: up to when that is noted.
    private func ageRescued(since aged: Duration) async throws -> Duration {
        let now = world.uptime()
        guard now - aged >= Self.agingStep else { return aged }
        if try replica.read({ try $0.rescuedCount() }) > 0 {
            let passed = min(now - aged, Self.agingStep * 2)
            try await replica.write { try $0.age(rescuedBy: passed, keeping: Self.keepsRescued) }
        }
        return now
    }

    /// What has been kept for long enough.
    private func forget() async throws {
        let now = world.now()
        let isDue = try replica.read { reader in
            try reader.hasForgettable(removals: now - Self.keepsRemovals)
        }
        guard isDue else { return }
        try await replica.write { transaction in
            try transaction.forgetRemovals(before: now - Self.keepsRemovals)
            try transaction.forgetHydrations()
        }
    }
}
