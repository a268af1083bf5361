import BasketBlobs
import BasketStore
import BasketSupport

/// What a running server does by itself: it lets expired things go, collects what nobody needs, and
/// keeps the search index up with the writes. What fails is logged, and tried again the next time.
package struct Housekeeping: Sendable {
    /// How often each thing is done.
    package struct Schedule: Sendable, Equatable {
        /// Expired answers and locks go, and devices' last uses are written down.
        package var light: Duration = .seconds(600)
        package var collection: Duration = .seconds(3600)
        /// Every so many collections look at all blobs. The first one does.
        package var thorough = 24

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
        while await wait(rules().schedule.light) {
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

    private func collectRegularly() async {
        var runs = 0
        // The first one soon: a server that is restarted every day must collect, too.
        while await wait(pause(before: runs)) {
            let (policy, schedule) = (rules().policy, rules().schedule)
            let isThorough = runs % max(1, schedule.thorough) == 0
            runs += 1
            await logging("the collection failed") {
                let collector = Collector(
                    store: store, blobs: blobs, policy: policy, isBeingCopied: isBeingCopied)
                let summary = try await collector.run(isThorough: isThorough)
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
    }

    private func pause(before run: Int) -> Duration {
        let schedule = rules().schedule
        return run == 0 ? min(schedule.light, schedule.collection) : schedule.collection
    }

    /// Waits about so long: servers that were started together must not all collect together. False
    /// when it is time to stop.
    private func wait(_ duration: Duration) async -> Bool {
        let spread = Int64(world.randomUInt64() % 200) - 100
        let jittered = duration + duration * Int(spread) / 1000
        do {
            try await world.sleep(jittered)
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
