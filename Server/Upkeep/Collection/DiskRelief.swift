import BasketBlobs
import BasketStore
import BasketSupport

/// Makes room on a disk that runs full, before writes are refused.
///
/// What nobody bears any more goes without the usual graces: an upload that counted on it is told what
/// it has to send again. When that does not do, history goes before its time, the oldest first and no
/// more than is missing, as it does for a quota: it is kept for convenience, and new work matters more.
package struct DiskRelief: Sendable {
    /// What one attempt came to.
    package enum Outcome: Sendable {
        case notNeeded
        /// There was nothing to let go of, or it must stay while a backup is made.
        case nothingToGo
        /// History went, and the disk got nothing back: others bear the same bytes.
        case inVain
        case eased
    }

    private let collector: Collector
    private var store: Store { collector.store }
    private var blobs: any BlobStore { collector.blobs }

    /// Of an upload's grace, so much is left: who is at it goes on.
    private static let chunkGrace = Duration.seconds(1800)
    /// Between looking up where a chunk lies and opening that file.
    private static let removalDelay = Duration.seconds(20)
    /// The database's own room that should be there, for small contents and for rows.
    private static let leastReusable: Int64 = 64 << 20
    /// So much history goes before it is looked what that gave.
    private static let mostEntries = 256

    package init(
        store: Store, blobs: any BlobStore, policy: CollectionPolicy,
        isBeingCopied: @escaping @Sendable () -> Bool
    ) {
        var policy = policy
        policy.chunkGrace = min(policy.chunkGrace, Self.chunkGrace)
        policy.removalDelay = min(policy.removalDelay, Self.removalDelay)
        var collector = Collector(
            store: store, blobs: blobs, policy: policy, isBeingCopied: isBeingCopied)
        collector.isHurried = true
        self.collector = collector
    }

    /// Does a part of what is needed; ask again until nothing is missing.
    package func run() async throws -> Outcome {
        let missing = try await blobs.missingBytes()
        guard missing > 0 else { return .notNeeded }
        if try await collect() > 0 { return .eased }
        // What a backup copies stays, whatever goes from the database.
        guard !collector.isBeingCopied() else { return .nothingToGo }
        let large = try await letGo(missing, in: .blobs)
        let reusable = try store.read { try $0.reusableBytes() }
        let small = try await letGo(Self.leastReusable - reusable, in: .database)
        guard large.dropped + small.dropped > 0 else { return .nothingToGo }
        let freed = try await collect()
        store.world.log.warning(
            "the disk is nearly full: history went before its time",
            [
                "missing": .number(missing),
                "entries": .number(Int64(large.dropped + small.dropped)),
                "bytes": .number(large.freed + small.freed), "freed": .number(freed),
            ])
        return freed > 0 || small.dropped > 0 ? .eased : .inVain
    }

    private func letGo(_ bytes: Int64, in place: ContentPlace) async throws -> RetentionStep {
        guard bytes > 0 else { return RetentionStep() }
        // Looked for beside the writes: many that lie elsewhere may be older.
        let history = try await store.readAtLength {
            try $0.oldestHistory(in: place, limit: Self.mostEntries)
        }
        guard !history.isEmpty else { return RetentionStep() }
        return try await store.write { try $0.letGo(of: history, until: bytes) }
    }

    /// How many bytes the disk got back.
    private func collect() async throws -> Int64 {
        var summary = CollectionSummary()
        try await collector.takeApartDomains(&summary)
        try await collector.forgetDead(&summary)
        try await collector.discardUnused(&summary)
        if summary.blobsDiscarded > 0 { try await store.world.sleep(Self.removalDelay) }
        try await collector.removeDiscarded(&summary)
        return summary.bytesFreed
    }
}
