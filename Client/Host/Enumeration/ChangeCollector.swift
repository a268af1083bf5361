import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Hears of one batch of changes, and holds the extension to the limits.
final class ChangeCollector: NSObject, NSFileProviderChangeObserver {
    struct Batch: Sendable {
        enum Change: Sendable {
            case updated(RemoteItem)
            case deleted(NSFileProviderItemIdentifier)
        }

        /// In the order in which they were told.
        var changes: [Change] = []
        /// Why some that were told are not among them.
        var refused: [HostError] = []
        var anchor = NSFileProviderSyncAnchor(Data())
        var isMoreComing = false
    }

    private let batch = Mutex(Batch())
    private let once = Once<Batch>()
    private let size: Int

    private static let patience = 100

    init(suggesting size: Int) {
        self.size = size
    }

    @_disfavoredOverload var suggestedBatchSize: Int { size }

    /// Who holds to no limit is not listened to any more.
    private var isOverLimit: Bool {
        batch.withLock { $0.changes.count + $0.refused.count } > size * Self.patience
    }

    func didUpdate(_ updatedItems: [any NSFileProviderItemProtocol]) {
        if isOverLimit { return }
        var refused: [HostError] = []
        let items = ItemReader.readAll(updatedItems, refused: &refused)
        let left = refused
        batch.withLock { $0.refused += left }
        take(items.map { .updated($0) })
    }

    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier]) {
        if isOverLimit { return }
        take(deletedItemIdentifiers.map { .deleted($0) })
    }

    private func take(_ changes: [Batch.Change]) {
        let count = batch.withLock { batch in
            batch.changes += changes
            return batch.changes.count + batch.refused.count
        }
        once.moved()
        if count > size * Self.patience {
            once.answer(
                .failure(
                    HostError.badEnumeration(
                        "a batch has more than \(size * Self.patience) changes")))
        }
    }

    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool) {
        guard anchor.rawValue.count <= NSFileProviderSyncAnchor.mostBytes else {
            return once.answer(.failure(NSFileProviderError(.syncAnchorExpired)))
        }
        once.answer(
            .success(
                batch.withLock { batch in
                    batch.anchor = anchor
                    batch.isMoreComing = moreComing
                    return batch
                }))
    }

    func finishEnumeratingWithError(_ error: any Error) {
        once.answer(.failure(error))
    }

    static func batch(
        of enumerator: any NSFileProviderEnumerator, from anchor: NSFileProviderSyncAnchor,
        suggesting size: Int, _ calls: ExtensionCalls
    ) async throws -> Batch {
        let collector = ChangeCollector(suggesting: size)
        let answer = try await calls.answer(to: collector.once) {
            enumerator.enumerateChanges(for: collector, from: anchor)
        }
        calls.note(answer.refused)
        return answer
    }
}
