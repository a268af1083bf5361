import BasketStore
import BasketSupport

/// When something that nobody needs any more goes.
package struct CollectionPolicy: Sendable, Equatable {
    package var retention: RetentionPolicy
    /// How long an upload may count on a chunk that it was told to be there. Chunks that nobody bears
    /// wait for twice this.
    package var chunkGrace: Duration
    /// The same for contents that nobody bears, and for the chunks that were in one, where that shall be
    /// sooner. Chunks that were sent ahead keep their time.
    package var contentGrace: Duration?
    /// A file that no row names may be one whose request has not come to its commit yet, when it is
    /// younger than this. A slower request is refused and can be sent again; nothing is lost by it.
    package var leftoverAge: Duration
    /// How long a file stays after its row went: for readers that have just looked it up.
    package var removalDelay: Duration
    /// The same while a backup is under way, at the least: it copies the database first and then what
    /// that names, so a file that goes in between makes it begin anew, and when files go all the time, it
    /// never ends. No longer, because a backup that hangs must not keep the disk full.
    static let copyDelay = Duration.seconds(3600)
    /// Blobs are rewritten when more than half of them is dead, and at least so many bytes.
    package var leastDeadBytes: Int64
    /// So many chunks in a row, each in a blob of its own, are brought together into one.
    package var leastSingleChunks: Int
    /// What one blob made by rewriting may hold.
    package var largestBlob: Int64
    /// How much may be rewritten in one run, so that it comes to an end.
    package var mostRewritten: Int64
    /// Rows that one transaction takes away: other writes wait for no more than that.
    package var stepSize: Int

    package init(
        retention: RetentionPolicy = RetentionPolicy(), chunkGrace: Duration = .seconds(24 * 3600),
        leftoverAge: Duration = .seconds(3600), removalDelay: Duration = .seconds(600),
        leastDeadBytes: Int64 = 4 << 20, leastSingleChunks: Int = 4, largestBlob: Int64 = 1 << 30,
        mostRewritten: Int64 = 16 << 30, stepSize: Int = 500
    ) {
        self.retention = retention
        self.chunkGrace = chunkGrace
        self.leftoverAge = leftoverAge
        self.removalDelay = removalDelay
        self.leastDeadBytes = leastDeadBytes
        self.leastSingleChunks = leastSingleChunks
        self.largestBlob = largestBlob
        self.mostRewritten = mostRewritten
        self.stepSize = stepSize
    }

    /// For a data folder that no server is using: there are no readers to wait for and no uploads on
    /// their way, but clients may come back to those that were.
    /// - Parameter chunkGrace: with none, one run takes away all that there is to take. Clients that come
    ///   back send again what they had sent.
    package static func offline(
        retention: RetentionPolicy = RetentionPolicy(), chunkGrace: Duration = .seconds(24 * 3600)
    ) -> CollectionPolicy {
        CollectionPolicy(
            retention: retention, chunkGrace: chunkGrace, leftoverAge: .zero, removalDelay: .zero)
    }
}
