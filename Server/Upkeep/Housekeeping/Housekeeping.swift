import BasketBlobs
import BasketStore
import BasketSupport

/// What a running server does by itself: it lets expired things go, collects what nobody needs, makes
/// room when the disk runs full, and keeps the search index up with the writes. What fails is logged,
/// and tried again the next time.
package struct Housekeeping: Sendable {
    /// How often each thing is done.
    package struct Schedule: Sendable, Equatable {
        /// Expired answers and locks go, and devices' last uses are written down.
        package var light: Duration = .seconds(600)
        package var collection: Duration = .seconds(3600)
        /// Every so many collections look at all blobs. The first one does.
        package var thorough = 24
        /// The disk's room is looked at.
        package var relief: Duration = .seconds(15)

        package init() {}
    }

    /// What operators set; asked for before each step, since it may change while the server runs.
    package struct Rules: Sendable, Equatable {
        package var policy: CollectionPolicy
        package var schedule: Schedule

        package init(
            policy: CollectionPolicy = CollectionPolicy(), schedule: Schedule = Schedule()
        ) {
            self.policy = policy
            self.schedule = schedule
        }
    }

    private let store: Store
    private let blobs: any BlobStore
    private let indexer: SearchIndexer
    private let rules: @Sendable () -> Rules
    private let isBeingCopied: @Sendable () -> Bool
    private let takeUsedDevices: @Sendable () -> [Int64]
    private var world: World { store.world }

    /// - Parameters:
    ///   - isBeingCopied: whether a backup is under way.
    ///   - takeUsedDevices: the devices that were used since it was last asked.
    package init(
        store: Store, blobs: any BlobStore, rules: @escaping @Sendable () -> Rules,
        isBeingCopied: @escaping @Sendable () -> Bool,
        takeUsedDevices: @escaping @Sendable () -> [Int64]
    ) {
        self.store = store
        self.blobs = blobs
        self.rules = rules
        self.isBeingCopied = isBeingCopied
        self.takeUsedDevices = takeUsedDevices
        indexer = SearchIndexer(store: store)
    }

    /// Works until the task is cancelled. Its parts block while they work: call it on an executor
    /// where that disturbs nobody.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await tidyRegularly() }
            group.addTask { await collectRegularly() }
            group.addTask { await indexer.run() }
        }
    }

    private func tidyRegularly() async {
        while await wait(about(rules().schedule.light)) {
            await logging("tidying up failed") { try await tidy() }
        }
        // What is known about devices must not be lost with the process.
        await logging("writing down the last uses failed") { try await noteUses() }
    }

    private func tidy() async throws {
        try await store.write { try $0.forgetExpired() }
        try await noteUses()
        // The allocator keeps what a busy hour took; the machine has other uses for it.
        FreeMemory.giveBack()
    }

    private func noteUses() async throws {
        let devices = takeUsedDevices()
        guard !devices.isEmpty else { return }
        try await store.write { transaction in
            for device in devices { try transaction.noteUse(of: device) }
        }
    }

    /// Collection and relief take turns: each counts on what it has just seen.
    private func collectRegularly() async {
        var runs = 0
        // The first one soon: a server that is restarted every day must collect, too.
        var collection = world.uptime() + about(firstPause)
        var relief = DiskRelief(store: store, blobs: blobs)
        var clock = ClockWatch()
        while await wait(min(rules().schedule.relief, max(.zero, collection - world.uptime()))) {
            let (policy, schedule) = (rules().policy, rules().schedule)
            await logging("making room on the disk failed") {
                try await relief.run(policy, isBeingCopied: isBeingCopied)
            }
            let knowsAges = clock.isSteady(world)
            guard world.uptime() >= collection else { continue }
            let isThorough = runs.isMultiple(of: max(1, schedule.thorough))
            runs += 1
            await collect(policy, isThorough: isThorough, knowsAges: knowsAges)
            collection = world.uptime() + about(schedule.collection)
        }
    }

    private func collect(
        _ policy: CollectionPolicy, isThorough: Bool, knowsAges: Bool
    ) async {
        await logging("the collection failed") {
            let collector = Collector(
                store: store, blobs: blobs, policy: policy, isBeingCopied: isBeingCopied)
            let summary = try await collector.run(
                isThorough: isThorough, knowsAges: knowsAges)
            guard !summary.didNothing else { return }
            world.log.notice(
                "collected",
                [
                    "versions": .number(Int64(summary.versionsDropped)),
                    "contents": .number(Int64(summary.contentsForgotten)),
                    "chunksMoved": .number(Int64(summary.chunksMoved)),
                    "files": .number(Int64(summary.filesRemoved)),
                    "bytes": .number(summary.bytesFreed),
                ])
        }
    }

    private var firstPause: Duration {
        let schedule = rules().schedule
        return min(schedule.light, schedule.collection)
    }

    /// Servers that were started together must not all collect together.
    private func about(_ duration: Duration) -> Duration {
        let spread = Int64(world.randomUInt64() % 200) - 100
        return duration + duration * Int(spread) / 1000
    }

    /// False when it is time to stop.
    private func wait(_ duration: Duration) async -> Bool {
        do {
            try await world.sleep(duration)
            return !Task.isCancelled
        } catch {
            return false
        }
    }

    private func logging(_ message: StaticString, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            // Not a failure.
        } catch {
            world.log.error(message, ["error": .text("\(error)")])
        }
    }
}
