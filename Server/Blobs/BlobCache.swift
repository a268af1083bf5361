import Synchronization

/// The blobs that were opened last, so that one that many people fetch is not opened for each of
/// them. Bounded, because each holds a descriptor.
final class BlobCache: Sendable {
    private struct State {
        var blobs: [BlobID: (blob: Blob, used: UInt64)] = [:]
        var uses: UInt64 = 0
        var removals: UInt64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    subscript(id: BlobID) -> Blob? {
        state.withLock { state in
            state.uses += 1
            state.blobs[id]?.used = state.uses
            return state.blobs[id]?.blob
        }
    }

    /// How many blobs were removed so far, to be asked before one is opened.
    var removals: UInt64 {
        state.withLock { $0.removals }
    }

    /// Keeps a blob, unless one was removed since: it may have been this one, and keeping it open
    /// would keep its space from being free.
    func insert(_ blob: Blob, unlessRemovedSince removals: UInt64) {
        guard limit > 0 else { return }
        state.withLock { state in
            guard state.removals == removals else { return }
            if state.blobs.count >= limit, state.blobs[blob.id] == nil {
                // A look at each of a few hundred takes less time than the opening just did.
                let oldest = state.blobs.min { $0.value.used < $1.value.used }
                if let oldest { state.blobs[oldest.key] = nil }
            }
            state.uses += 1
            state.blobs[blob.id] = (blob, state.uses)
        }
    }

    func remove(_ id: BlobID) {
        state.withLock { state in
            state.removals += 1
            state.blobs[id] = nil
        }
    }
}
