import BasketModels

/// What a collection did.
package struct CollectionSummary: Sendable, Equatable {
    /// Of domains that were deleted.
    package var domainRowsRemoved = 0
    package var versionsDropped = 0
    package var deletedContentsPurged = 0
    package var trashedItemsDeleted = 0
    package var tombstonesForgotten = 0
    package var contentsForgotten = 0
    package var chunksForgotten = 0
    /// Rows that counted as dead although somebody bore them: their counts were mended.
    package var countsMended = 0
    package var blobsDiscarded = 0
    /// Files that no row named.
    package var leftoversDiscarded = 0
    package var filesRemoved = 0
    /// Files that the disk did not let go of; tried again the next time.
    package var filesLeft = 0
    package var bytesFreed: Int64 = 0
    package var chunksMoved = 0
    package var bytesRewritten: Int64 = 0
    /// Chunks whose bytes are not what they should be, by number; the first of them. `check` finds all.
    package var damagedChunks: [Int64] = []
    /// Rewriting stopped because the disk has no room for it.
    package var lackedRoom = false

    static let mostDamagedChunks = 100

    package init() {}

    /// What it could not do does not count.
    package var didNothing: Bool {
        var done = self
        done.filesLeft = 0
        return done == CollectionSummary()
    }

    mutating func note(damaged chunk: Int64) {
        guard damagedChunks.count < Self.mostDamagedChunks else { return }
        damagedChunks.append(chunk)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("domainRowsRemoved")
            writer.number(domainRowsRemoved)
            writer.key("versionsDropped")
            writer.number(versionsDropped)
            writer.key("deletedContentsPurged")
            writer.number(deletedContentsPurged)
            writer.key("trashedItemsDeleted")
            writer.number(trashedItemsDeleted)
            writer.key("tombstonesForgotten")
            writer.number(tombstonesForgotten)
            writer.key("contentsForgotten")
            writer.number(contentsForgotten)
            writer.key("chunksForgotten")
            writer.number(chunksForgotten)
            writer.key("countsMended")
            writer.number(countsMended)
            writer.key("blobsDiscarded")
            writer.number(blobsDiscarded)
            writer.key("leftoversDiscarded")
            writer.number(leftoversDiscarded)
            writer.key("filesRemoved")
            writer.number(filesRemoved)
            writer.key("filesLeft")
            writer.number(filesLeft)
            writer.key("bytesFreed")
            writer.number(bytesFreed)
            writer.key("chunksMoved")
            writer.number(chunksMoved)
            writer.key("bytesRewritten")
            writer.number(bytesRewritten)
            writer.key("damagedChunks")
            writer.array { writer in
                for chunk in damagedChunks { writer.number(chunk) }
            }
            writer.key("lackedRoom")
            writer.bool(lackedRoom)
        }
    }
}
