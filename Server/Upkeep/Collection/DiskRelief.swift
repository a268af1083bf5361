import BasketBlobs
import BasketStore
import BasketSupport

/// Makes room on a disk that runs full.
///
/// What nobody bears any more goes sooner than usual. When that does not do, deleted things go before their
/// time, the oldest first and no more than is missing: they are kept for convenience, and new work that
/// finds no room is lost. All of it is slow on purpose: uploads that count on chunks have some minutes, and
/// nothing more goes before it is seen what came of the last time.
package struct DiskRelief {
    /// Since when the disk is short.
    private var since: Duration?
    /// What was let go of the last time, when, and what the disk got back since.
    private var last: (bytes: Int64, moment: Duration, gained: Int64)?

    private let store: Store
    private let blobs: any BlobStore
    private let grace: UploadGrace

    /// Between looking up where a chunk lies and opening that file.
    private static let removalDelay = Duration.seconds(20)
    /// So long it takes from letting go of a content until its file is removed: once the grace for the
    /// content, twice for its chunks, and a few looks.
    private static func drain(_ grace: Duration) -> Duration { grace * 3 + .seconds(120) }
    /// Where the disk gets nothing back for what goes: other names of the files, or a snapshot, hold it.
    private static let pauseInVain = Duration.seconds(6 * 3600)
    /// So many go in one transaction.
    private static let mostItems = 256

    package init(store: Store, blobs: any BlobStore, grace: UploadGrace) {
        self.store = store
        self.blobs = blobs
        self.grace = grace
    }

    /// Does a part of what is needed; to be called a few times in a minute. Nothing else may collect
    /// meanwhile.
    package mutating func run(
        _ policy: CollectionPolicy, isBeingCopied: @escaping @Sendable () -> Bool
    ) async throws {
        let missing = try await blobs.missingBytes()
        grace.note(isDiskShort: missing > 0)
        let now = store.world.uptime()
        guard missing > 0 else {
            since = nil
            return
        }
        let start = since ?? now
        since = start
        let short = min(UploadGrace.short, policy.chunkGrace)
        guard now - start >= short else { return }
        try await collect(policy, isBeingCopied)
        var drain = Self.drain(short)
        guard now - start >= drain else { return }
        // While a backup copies what was there, files stay.
        if isBeingCopied() { drain += CollectionPolicy.copyDelay }
        guard now >= nextTime(drain) else { return }
        try await letGo(try await blobs.missingBytes(), at: now)
    }

    /// When more may go.
    private func nextTime(_ drain: Duration) -> Duration {
        guard let last else { return .zero }
        let isOver = store.world.uptime() - last.moment >= drain
        let isInVain = isOver && last.gained < last.bytes / 2
        return last.moment + (isInVain ? Self.pauseInVain : drain)
    }

    private mutating func collect(
        _ usual: CollectionPolicy, _ isBeingCopied: @escaping @Sendable () -> Bool
    ) async throws {
        var policy = usual
        policy.chunkGrace = grace.collecting(usual.chunkGrace)
        policy.removalDelay = min(usual.removalDelay, Self.removalDelay)
        let collector = Collector(
            store: store, blobs: blobs, policy: policy, isBeingCopied: isBeingCopied)
        var summary = CollectionSummary()
        try await collector.takeApartDomains(&summary)
        try await collector.forgetDead(&summary)
        try await collector.discardUnused(&summary)
        let before = try await blobs.missingBytes()
        try await collector.removeDiscarded(&summary)
        // By what the disk says: a file that has another name, or that somebody reads, gives nothing back.
        let gained = before - (try await blobs.missingBytes())
        last?.gained += gained
    }

    private mutating func letGo(_ missing: Int64, at now: Duration) async throws {
        var step = RetentionStep()
        while step.freed < missing {
            // Looked for beside the writes: many that would give nothing back may be older.
            let items = try await store.readAtLength {
                try $0.oldestDeleted(limit: Self.mostItems)
            }
            let rest = missing - step.freed
            let next = try await store.write { try $0.letGo(of: items, until: rest) }
            guard next.dropped > 0 else { break }
            step.freed += next.freed
            step.dropped += next.dropped
        }
        guard step.dropped > 0 else { return }
        last = (step.freed, now, 0)
        store.world.log.warning(
            "the disk is full: what was deleted goes before its time",
            [
                "missing": .number(missing), "items": .number(Int64(step.dropped)),
                "bytes": .number(step.freed),
            ])
    }
}
