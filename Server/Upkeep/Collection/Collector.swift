import BasketBlobs
import BasketModels
import BasketStore
import BasketSupport

/// Takes away what nobody needs any more, in small steps between other writes. It may stop anywhere,
/// by cancellation or by a crash; the next run goes on.
///
/// Only the process that writes the data folder may run it, and one at a time.
package struct Collector: Sendable {
    let store: Store
    let blobs: any BlobStore
    let policy: CollectionPolicy
    private let isBeingCopied: @Sendable () -> Bool

    /// - Parameter isBeingCopied: whether a backup is under way, which needs files that rows of a moment
    ///   ago name.
    package init(
        store: Store, blobs: any BlobStore, policy: CollectionPolicy,
        isBeingCopied: @escaping @Sendable () -> Bool
    ) {
        self.store = store
        self.blobs = blobs
        self.policy = policy
        self.isBeingCopied = isBeingCopied
    }

    /// Does all of its parts, whatever becomes of the others: one that fails every time must not keep
    /// the disk from being emptied.
    ///
    /// - Parameters:
    ///   - isThorough: also looks at every blob, to rewrite what is mostly dead.
    ///   - knowsAges: false while the clock has leapt: nobody can tell how long things have been kept.
    /// - Throws: what the first part that failed did, after the last one.
    package func run(
        isThorough: Bool = true, knowsAges: Bool = true
    ) async throws -> CollectionSummary {
        var summary = CollectionSummary()
        // Files go before anything is rewritten, which takes room.
        var parts = [takeApartDomains]
        if knowsAges { parts += [mendFutures, applyRetention] }
        parts += [forgetDead, discardUnused, discardLeftovers, removeDiscarded]
        if isThorough { parts += [compact, removeDiscarded] }
        var failure: (any Error)?
        for part in parts {
            do {
                try await part(&summary)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return summary
    }

    private func compact(_ summary: inout CollectionSummary) async throws {
        try await Compactor(store: store, blobs: blobs, policy: policy).run(&summary)
    }

    func takeApartDomains(_ summary: inout CollectionSummary) async throws {
        let count = policy.stepSize
        for domain in try store.read({ try $0.deletedDomains() }) {
            var isDone = false
            while !isDone {
                let step = try await store.write {
                    try $0.takeApart(deletedDomain: domain, steps: count)
                }
                summary.domainRowsRemoved += step.dropped
                summary.blobsDiscarded += step.discarded
                isDone = step.isDone
                try await pause()
            }
        }
    }

    /// Of a clock that was ahead, things are left that would wait until that day.
    func mendFutures(_ summary: inout CollectionSummary) async throws {
        try await store.write { try $0.mendFutures() }
    }

    // MARK: Retention

    private func applyRetention(_ summary: inout CollectionSummary) async throws {
        let retention = policy.retention
        try await store.write { try $0.forgetExpired() }
        var last = ItemID(rawValue: 0)
        while true {
            let (step, next) = try await store.write { [last] transaction in
                try transaction.thinVersions(retention, after: last)
            }
            summary.versionsDropped += step.dropped
            last = next
            if step.isDone { break }
            try await pause()
        }
        summary.trashedItemsDeleted += try await repeated { try $0.emptyTrash(retention) }
        summary.deletedContentsPurged += try await repeated {
            try $0.purgeDeletedContents(retention)
        }
        summary.tombstonesForgotten += try await repeated { try $0.forgetTombstones(retention) }
    }

    /// Steps until one has nothing left to do; how much they dropped.
    private func repeated(
        _ step: @escaping @Sendable (Transaction) throws -> RetentionStep
    ) async throws -> Int {
        var dropped = 0
        while true {
            let done = try await store.write(step)
            dropped += done.dropped
            // A step that found only what it could not drop would find it for ever.
            if done.isDone || !done.hasProgress { return dropped }
            try await pause()
        }
    }

    // MARK: What is dead

    func forgetDead(_ summary: inout CollectionSummary) async throws {
        let (count, grace) = (policy.stepSize, policy.chunkGrace)
        let soon = policy.contentGrace
        var limit = store.world.now() - (soon ?? grace)
        let chunksSince = soon.map { store.world.now() - grace - grace + $0 + $0 }
        var isDone = false
        while !isDone {
            let step = try await store.write { [limit] in
                try $0.forgetContents(
                    deadSince: limit, steps: count, chunksSince: chunksSince)
            }
            summary.contentsForgotten += step.dropped
            summary.countsMended += step.kept
            isDone = step.isDone
            try await pause()
        }
        // The time of now: without a grace, what the contents bore until a moment ago goes too.
        limit = store.world.now() - grace - grace
        isDone = false
        while !isDone {
            let step = try await store.write { [limit] in
                try $0.forgetChunks(deadSince: limit, count: count)
            }
            summary.chunksForgotten += step.dropped
            summary.countsMended += step.kept
            summary.blobsDiscarded += step.discarded
            isDone = step.isDone
            try await pause()
        }
    }

    /// Blobs that hold nothing: of domains that were deleted, of uploads that turned out to bring
    /// nothing new.
    func discardUnused(_ summary: inout CollectionSummary) async throws {
        while true {
            let count = policy.stepSize
            let unused = try store.read { try $0.unusedBlobs(limit: count) }
            if unused.isEmpty { return }
            let discarded = try await store.write { transaction in
                try unused.count(where: { try transaction.discard(blob: $0) })
            }
            summary.blobsDiscarded += discarded
            if discarded == 0 { return }
            try await pause()
        }
    }

    // MARK: Files

    /// Files that are old, and that no row names: their uploads were broken off by a crash, or were
    /// refused after their bytes were safe.
    ///
    /// What gives a file up is a row, written by the one writer, and a commit that would name the file
    /// after that is refused: however slow a request and whatever the clock says, a named blob has its
    /// file.
    private func discardLeftovers(_ summary: inout CollectionSummary) async throws {
        var last: BlobID?
        while true {
            let page = try await blobs.list(after: last, limit: 1000)
            guard let end = page.last else { return }
            last = end
            let unnamed = try store.read { db in
                try page.filter {
                    try !db.isNamed(blob: $0.number) && !db.isDiscarded(blob: $0.number)
                }
            }
            var old: [Int64] = []
            for id in unnamed where try await isOld(id) { old.append(id.number) }
            if !old.isEmpty {
                summary.leftoversDiscarded += try await store.write { [old] transaction in
                    try old.count(where: { try transaction.discard(leftover: $0) })
                }
            }
            try await pause()
        }
    }

    private func isOld(_ id: BlobID) async throws -> Bool {
        do {
            let age = store.world.now() - (try await blobs.facts(of: id)).modified
            return age >= policy.leftoverAge
        } catch BlobError.noSuchBlob {
            return false
        } catch BlobError.file {
            return false  // What cannot be looked at is left to whoever can mend that.
        }
    }

    /// Removes files whose rows went some time ago. The note of it stays for longer, so that nobody who
    /// still knows the name can use it again.
    func removeDiscarded(_ summary: inout CollectionSummary) async throws {
        // In this order: a copy that begins after the question is of a later moment than `now`, and
        // names nothing that went before.
        let now = store.world.now()
        let delay =
            isBeingCopied()
            ? max(policy.removalDelay, CollectionPolicy.copyDelay) : policy.removalDelay
        let limit = now - delay
        let forgotten = limit - max(policy.leftoverAge, policy.removalDelay)
        var start = Int64.min
        var left: (count: Int, reason: BlobError)?
        while true {
            let count = policy.stepSize
            let page = try store.read { [start] db in
                try db.discardedBlobs(since: limit, from: start, count: count)
            }
            var gone: [Int64] = []
            for (blob, since) in page {
                do {
                    if let size = try await remove(BlobID(number: blob)) {
                        summary.filesRemoved += 1
                        summary.bytesFreed += size
                    }
                    if since <= forgotten { gone.append(blob) }
                } catch {
                    // Its note stays, so that it is tried again.
                    left = ((left?.count ?? 0) + 1, left?.reason ?? error)
                }
            }
            if !gone.isEmpty {
                try await store.write { [gone] in try $0.forget(discardedBlobs: gone) }
            }
            guard let end = page.last?.blob, end < .max else { break }
            start = end + 1
            try await pause()
        }
        note(left, &summary)
    }

    /// Told once in a run, though files are removed twice in it.
    private func note(
        _ left: (count: Int, reason: BlobError)?, _ summary: inout CollectionSummary
    ) {
        guard let left, left.count > summary.filesLeft else { return }
        summary.filesLeft = left.count
        store.world.log.warning(
            "cannot remove files",
            ["files": .number(Int64(left.count)), "error": .text(left.reason.message)])
    }

    /// The size of what was removed; nil when it was gone.
    private func remove(_ id: BlobID) async throws(BlobError) -> Int64? {
        do throws(BlobError) {
            let size = try await blobs.facts(of: id).size
            try await blobs.remove(id)
            return size
        } catch .noSuchBlob {
            return nil
        }
    }

    private func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
