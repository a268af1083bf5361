import BasketBlobs
import BasketStore
import BasketSupport

/// Makes room on a disk that runs full.
///
/// Contents that nobody bears any more go sooner than usual. When that does not do, deleted things go before
/// their time, the oldest first and no more than is missing: they are kept for convenience, and new work that
/// finds no room is lost. All of it is slow on purpose: whoever counts on a chunk has some minutes, and
/// nothing more goes before it is seen what came of the last time.
package struct DiskRelief {
    /// What was let go of.
    private struct Round {
        /// What the disk should get back for it.
        let expected: Int64
        let moment: Duration
        /// What was free then, and what has come back since, while files were removed.
        let free: Int64
        var gained: Int64 = 0
    }

    /// Since when the disk is short.
    private var since: Duration?
    private var last: Round?
    /// How many rounds in a row gave next to nothing.
    private var inVain = 0
    private var pausedUntil = Duration.zero

    private let store: Store
    private let blobs: any BlobStore

    /// How long a content that nobody bears keeps its chunks, and its chunks half of their bytes.
    private static let contentGrace = Duration.seconds(300)
    /// Between looking up where a chunk lies and opening that file.
    private static let removalDelay = Duration.seconds(20)
    /// Something else holds the bytes then: a snapshot, other names of the files, other contents.
    private static let mostInVain = 3
    private static let pauseInVain = Duration.seconds(6 * 3600)
    /// So many go in one transaction.
    private static let mostItems = 256

    package init(store: Store, blobs: any BlobStore) {
        self.store = store
        self.blobs = blobs
    }

    /// So long it takes from letting go of a content until its file is removed: once the grace for the
    /// content, twice for its chunks, and a few looks.
    private static func drain(_ grace: Duration) -> Duration { grace * 3 + .seconds(120) }

    /// Does a part of what is needed; to be called a few times in a minute. Nothing else may collect
    /// meanwhile.
    package mutating func run(
        _ policy: CollectionPolicy, isBeingCopied: @escaping @Sendable () -> Bool
    ) async throws {
        let shortage = try await blobs.shortage()
        let now = store.world.uptime()
        guard since == nil ? shortage.isShort : shortage.missing > 0 else {
            (since, last, inVain) = (nil, nil, 0)
            return
        }
        let start = since ?? now
        since = start
        let grace = min(Self.contentGrace, policy.chunkGrace)
        try await collect(policy, grace, isBeingCopied)
        var drain = Self.drain(grace)
        guard now - start >= drain else { return }
        // While a backup copies what was there, files stay.
        if isBeingCopied() { drain += CollectionPolicy.copyDelay }
        guard try await isOver(drain, at: now), now >= pausedUntil else { return }
        try await letGo(at: now)
    }

    /// Whether it can be told what came of the last round.
    private mutating func isOver(_ drain: Duration, at now: Duration) async throws -> Bool {
        guard let last else { return true }
        guard now - last.moment >= drain else { return false }
        self.last = nil
        // By what the disk says, while files were removed or in all: others write meanwhile, and some file
        // systems take their time.
        let gained = max(last.gained, try await blobs.shortage().free - last.free)
        inVain = gained < last.expected / 2 ? inVain + 1 : 0
        if inVain >= Self.mostInVain {
            (inVain, pausedUntil) = (0, now + Self.pauseInVain)
            store.world.log.warning("what is deleted gives the disk nothing back")
        }
        return true
    }

    private mutating func collect(
        _ usual: CollectionPolicy, _ grace: Duration,
        _ isBeingCopied: @escaping @Sendable () -> Bool
    ) async throws {
        var policy = usual
        policy.contentGrace = grace
        policy.removalDelay = min(usual.removalDelay, Self.removalDelay)
        let collector = Collector(
            store: store, blobs: blobs, policy: policy, isBeingCopied: isBeingCopied)
        var summary = CollectionSummary()
        try await collector.takeApartDomains(&summary)
        try await collector.forgetDead(&summary)
        try await collector.discardUnused(&summary)
        let before = try await blobs.shortage().free
        try await collector.removeDiscarded(&summary)
        let gained = try await blobs.shortage().free - before
        last?.gained += max(0, gained)
    }

    private mutating func letGo(at now: Duration) async throws {
        let shortage = try await blobs.shortage()
        var step = RetentionStep()
        while step.freed < shortage.missing {
            // Looked for beside the writes: many that would give nothing back may be older.
            let items = try await store.readAtLength {
                try $0.oldestDeleted(limit: Self.mostItems)
            }
            let rest = shortage.missing - step.freed
            let next = try await store.write { try $0.letGo(of: items, until: rest) }
            guard next.dropped > 0 else { break }
            step.freed += next.freed
            step.dropped += next.dropped
        }
        guard step.dropped > 0 else { return }
        last = Round(
            expected: min(step.freed, shortage.missing), moment: now, free: shortage.free)
        store.world.log.warning(
            "the disk is full: what was deleted goes before its time",
            [
                "missing": .number(shortage.missing), "items": .number(Int64(step.dropped)),
                "bytes": .number(step.freed),
            ])
    }
}
