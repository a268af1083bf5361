import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import FileProviderRules
import Foundation
import Synchronization

/// Does for one domain what the system does for an extension: it brings the replica and the provider to
/// the same state, in both directions, for as long as it runs. All that it knows is in the replica; when it
/// dies at any point, the next one goes on.
package final class DomainHost: Sendable {
    struct State {
        /// Nodes that a call is being made for, or that wait for their turn to have one made.
        var busy = Claims()
        /// Those whose calls somebody waits for.
        var hurried: Set<NodeID> = []
        /// Whether the working set has something to tell.
        var isSignalled = true
        /// Whether it is being told.
        var isCatchingUp = false
        /// How often that was begun, and which was the last one that came through.
        var round: UInt64 = 0
        var completedRound: UInt64 = 0
        /// How often it has failed since then, and with what.
        var failures = 0
        var failure: Failure?
        /// The same, whoever has signalled in between.
        var failuresInRow = 0
        var looks = LookSchedule()
        /// How often somebody has signalled.
        var signals: UInt64 = 0
        /// Files whose bytes are on their way.
        var fetching: Set<NodeID> = []
        /// Those that nobody waits for, and that are looked after.
        var wanting: Set<NodeID> = []
        var fetchFailures: [NodeID: FetchFailure] = [:]
        /// What programs read one after another, and what follows it.
        var folderReads: FolderReads
        var ahead: [FilesAhead] = []
        /// Who fetches them is told that there are some.
        var aheadNews: AsyncStream<Void>.Continuation?
        /// Whether some folders are packages, perhaps, and files that were read in these.
        var hasTypedFolders = false
        var readInPackages: Set<NodeID> = []
        /// Whether it was said that removals are held back.
        var holdsRemovals = false
        /// Files that stand in line because of that, or are on their way.
        var fetchingAhead: Set<NodeID> = []
    }

    package let replica: Replica
    let calls: ExtensionCalls
    let workingSet: WorkingSet
    let parts: PartFetcher
    let detached: DetachedFetcher
    let settings: HostSettings
    let slots: Slots
    let openContents: OpenContents
    let saves: UnfinishedSaves
    let presence: Presence
    let room: Room
    /// For whom nothing is brought here, by now.
    let programs: Mutex<ProgramRules>
    let knownRoom: KnownRoom
    let ignoreLists: IgnoreLists
    let removals: RemovalGuard
    let outage = Outage()
    let burst = LocalBurst()
    /// What a test is to say in the interactive testing mode.
    let testing = TestingDesk()
    let world: World
    /// What the extension declares beside its code.
    let declaration: ExtensionDeclaration
    let setDidChange: @Sendable (ItemSet) -> Void
    let thumbnailCache = ThumbnailCache()
    let state: Mutex<State>

    /// So many nodes are brought on in one transaction.
    private static let batch = 256
    /// A look at what is to be done walks over what is being done: where that is much, it is not looked after
    /// each call that ends.
    private static let fewBusy = 64
    private static let pauseForEachBusy = Duration.microseconds(20)
    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(300)
    static let retryPause = RetryPause(first: firstPause, longest: longestPause)

    /// - Parameters:
    ///   - declaration: nil for what the extension itself brings along.
    ///   - setDidChange: hears which of the sets has other items than before.
    package init(
        replica: Replica, provider: any NSFileProviderReplicatedExtension & Sendable, world: World,
        settings: HostSettings = HostSettings(), declaration: ExtensionDeclaration? = nil,
        setDidChange: @escaping @Sendable (ItemSet) -> Void = { _ in }
    ) {
        let declaration = declaration ?? ExtensionDeclaration(of: provider)
        for problem in declaration.problems {
            world.log.warning(
                "a part of the extension's declaration is left out", ["reason": .text(problem)])
        }
        let settings = settings.serving(declaration)
        self.replica = replica
        self.declaration = declaration
        self.setDidChange = setDidChange
        self.world = world
        let poke = { @Sendable in replica.changes.poke() }
        calls = ExtensionCalls(
            provider: provider, watch: CallWatch(world: world, patience: settings.patience),
            noteVersion: { await Self.note(domainVersion: $0, in: replica) },
            readiness: {
                try replica.read { reader in
                    if try reader.disconnection() != nil { return .disconnected }
                    return try reader.isUnsettled() ? .settling : .ready
                }
            },
            changes: replica.changes,
            uploads: Transfers(.uploading, world: world, didBegin: poke),
            downloads: Transfers(.downloading, world: world, didBegin: poke),
            uploadPlaces: Turns(declaration.depths.uploads),
            downloadPlaces: Turns(declaration.depths.downloads),
            size: { identifier in
                // A length that is not known is told as none; the transfer itself says what is wrong.
                (try? replica.read { try $0.node(identifier: identifier)?.size }) ?? 0
            })
        workingSet = WorkingSet(
            replica: replica, calls: calls,
            didHearOfOthers: { [burst] in burst.noteTold(at: world.uptime()) })
        self.settings = settings
        state = Mutex(State(folderReads: FolderReads(most: settings.filesAhead)))
        slots = Slots(settings)
        openContents = OpenContents(replica: replica, world: world, settings: settings)
        saves = UnfinishedSaves(world: world, holds: !settings.isInteractive)
        presence = Presence(replica: replica, calls: calls, settings: settings)
        room = Room(
            replica: replica, world: world, limits: settings.contentLimits, open: openContents)
        programs = Mutex(settings.nonMaterialising)
        parts = PartFetcher(
            replica: replica, calls: calls, workingSet: workingSet, settings: settings,
            slots: slots, room: room)
        detached = DetachedFetcher(
            replica: replica, calls: calls, settings: settings, slots: slots, room: room)
        knownRoom = KnownRoom(world: world)
        ignoreLists = IgnoreLists(replica)
        removals = RemovalGuard(isOn: settings.holdsManyRemovals)
        takeUpChoices()
    }

    /// The provider has something to tell.
    package func signal() {
        state.withLock { state in
            state.isSignalled = true
            state.signals += 1
        }
        replica.changes.poke()
    }

    /// What is to be done waits for no program that changes much.
    func hurry() { burst.hurry(at: world.uptime()) }

    /// Works until the task is cancelled. In the interactive testing mode, what it decides by itself waits until
    /// a test runs it.
    package func run() async {
        defer { presence.stop() }
        await withTaskGroup(of: Void.self) { group in
            if !settings.isInteractive {
                group.addTask { await self.followWorkingSet() }
                group.addTask { await self.lookAtWhatIsOwed() }
                group.addTask { await self.bringOn() }
                group.addTask { await self.fetchWanted() }
                group.addTask { await self.fetchAhead() }
                group.addTask { await self.bringPackagesTogether() }
                group.addTask { await self.bringBack() }
            }
            group.addTask { await self.sendWhatIsQuiet() }
            group.addTask { await self.keepHouse() }
            if replica.commitsLate { group.addTask { await self.keepCommits() } }
            group.addTask { await self.followSets() }
            group.addTask { await self.showTransfers() }
            group.addTask { await self.takeStock() }
        }
    }

    /// Whether nothing is left to do, as far as the replica knows.
    package func isAtRest() throws -> Bool {
        let now = world.uptime()
        let isQuiet = state.withLock { state in
            state.busy.isEmpty && !state.isSignalled && !state.isCatchingUp
                && state.fetching.isEmpty
                && !isLooking(state, at: now)
        }
        return try isQuiet
            && replica.read { try $0.pendingCount() == 0 && $0.found(limit: 1).isEmpty }
    }

    /// Returns when nothing is left to do.
    package func waitForRest() async throws {
        while true {
            let count = replica.changes.count
            if try isAtRest() { return }
            await replica.changes.wait(since: count)
            try Task.checkCancellation()
        }
    }

    /// What is next for a node, as the trees stand.
    package func plan(for id: NodeID) throws -> Step? {
        try replica.read { reader in
            guard let node = try reader.node(id) else { return nil }
            return Planner.step(for: node, try reader.neighbours(of: node).around)
        }
    }

    /// What keeps it from being at rest, in words.
    package var unrest: String {
        state.withLock {
            """
            busy \($0.busy.nodes.sorted()), signalled \($0.isSignalled), catching up \($0.isCatchingUp), \
            fetching \($0.fetching.sorted())
            """
        }
    }

    // MARK: Both ways

    private func bringOn() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await burst.rest(world, isLongAtFirst: true)
                let count = replica.changes.count
                do {
                    if let needed = try await plan() {
                        for id in needed { group.addTask { await self.work(on: id) } }
                        continue
                    }
                    try await pause(since: count)
                    let busy = state.withLock { $0.busy.count }
                    if busy > Self.fewBusy {
                        try await world.sleep(Self.pauseForEachBusy * busy)
                    }
                } catch is CancellationError {
                    return
                } catch {
                    world.log.error("planning failed", ["error": .text("\(error)")])
                    try? await world.sleep(Self.firstPause)
                }
            }
        }
    }

    /// Brings on what asks for it.
    /// - Returns: those for which the extension is needed; they are claimed. Nil where nobody asks.
    private func plan() async throws -> [NodeID]? {
        // Also when nothing can be sent: else there is always something that is due.
        saves.releaseWhatIsDue()
        guard try calls.isConnected() else { return nil }
        try await letIn()
        let busy = state.withLock { $0.busy }
        let now = world.now()
        let limit = busy.count + saves.heldCount + Self.batch
        let asking = try replica.read { try $0.nextTurns(at: now, limit: limit) }
        let ids = Array(
            asking.lazy.filter { !busy.contains($0) && !self.saves.isHeld($0) }.prefix(Self.batch))
        guard !ids.isEmpty else { return nil }
        let needed = try await advance(ids, try await ignoreLists.refreshed())
        // Local steps alone make others ready: they are looked at in the next round.
        if needed.count < ids.count { replica.changes.poke() }
        return needed
    }

    /// Those that wait outside of a line come in once there is room for many of them.
    private func letIn() async throws {
        for line in CallCategory.forChanges {
            let room = state.withLock { $0.busy.room(in: line) }
            guard room >= Self.batch else { continue }
            let next = try replica.read { try $0.waiting(outside: line.rawValue, limit: room) }
            if !next.isEmpty { try await replica.write { try $0.letIn(next) } }
        }
    }

    /// - Returns: those for which the extension is needed; they are claimed.
    private func advance(_ ids: [NodeID], _ rules: IgnoreRules) async throws -> [NodeID] {
        let (removals, open) = (removals, openContents)
        let busy = state.withLock { $0.busy }
        let postponement = outage.postponement(at: world.uptime())
        do {
            // What is planned is planned again after a crash. Before anybody else is asked for anything, the call is noted on the
            // disk, and this with it.
            let needed = try await replica.writeSoon { transaction in
                var postponement = postponement
                let steps = LocalSteps(
                    transaction: transaction, rules: rules, removals: removals, open: open)
                var claims = busy
                var needed: [(id: NodeID, line: CallCategory)] = []
                for id in ids {
                    guard let node = try steps.advance(id) else { continue }
                    if try postponement?.putOff(id, transaction) == true { continue }
                    let line = self.line(of: node)
                    // Who came before has waited for longer.
                    let isNext = try !transaction.reader.hasEarlier(
                        than: id, outside: line.rawValue)
                    if claims.room(in: line) > 0, isNext {
                        claims.insert(id, in: line)
                        needed.append((id, line))
                    } else {
                        try transaction.wait(id, outside: line.rawValue)
                    }
                }
                return needed
            }
            state.withLock { state in
                for (id, line) in needed { state.busy.insert(id, in: line) }
            }
            return needed.map(\.id)
        } catch {
            let misfit: String? =
                switch error {
                case let error as HostError: error.message
                case let error as SQLiteError where error.isAboutRows: error.message
                default: nil
                }
            guard let misfit else { throw error }
            // One that nobody understands keeps no other one waiting.
            if let id = ids.first, ids.count == 1 {
                try await replica.write { transaction in
                    try transaction.setAside(
                        id, misfit, until: transaction.now + Self.longestPause)
                }
                return []
            }
            var needed: [NodeID] = []
            for id in ids { needed += try await advance([id], rules) }
            return needed
        }
    }

    private func pause(since count: UInt64) async throws {
        let now = world.now()
        let next = try replica.read { try $0.nextRetry(after: now) }.map { $0 - now }
        let pauses = [next, saves.untilDue].compactMap(\.self)
        guard let pause = pauses.min() else { return await replica.changes.wait(since: count) }
        try await waitForChange(since: count, atMost: pause)
    }

    /// Returns when something has changed since that count; while programs change much, after much of it.
    func change(since count: UInt64) async {
        await replica.changes.wait(since: count)
        await burst.rest(world)
    }

    /// Returns when something has changed since that count, and when it takes too long.
    func waitForChange(since count: UInt64, atMost pause: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.replica.changes.wait(since: count) }
            group.addTask { try await self.world.sleep(pause) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Carries an error into a transaction.
    struct Failure: @unchecked Sendable {
        let error: any Error
    }

    func jitter() -> Double {
        Double(world.randomUInt64() >> 11) / Double(1 << 53)
    }
}
