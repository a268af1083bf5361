import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

// The sets that the system keeps, and who is told of them.
extension DomainHost {
    /// Works some seconds after something has changed, and for as long as something waits that belongs into the
    /// pending set soon.
    func followSets() async {
        var posted: [ItemSet: Int64] = [:]
        while !Task.isCancelled {
            let count = replica.changes.count
            var isMoreComing = false
            do {
                isMoreComing = try await refreshSets()
                for set in ItemSet.allCases { try post(set, &posted) }
                try await tell(of: .materialised) { await $0.materializedItemsDidChange() }
                try await tell(of: .pending) { await $0.pendingItemsDidChange() }
            } catch {
                world.log.warning("the sets cannot be kept", ["error": .text("\(error)")])
            }
            if !isMoreComing { await replica.changes.wait(since: count) }
            try? await world.sleep(settings.setInterval)
        }
    }

    private func refreshSets() async throws -> Bool {
        guard try replica.read({ try $0.needsRefresh() }) else { return false }
        let limit = settings.pendingLimit
        return try await replica.write { try $0.refreshPendingSet(limit: limit) }
    }

    /// Programs may want to know it also while the extension cannot be told.
    private func post(_ set: ItemSet, _ posted: inout [ItemSet: Int64]) throws {
        let state = try replica.read { try $0.state(of: set) }
        guard state.rank > posted[set] ?? state.told else { return }
        posted[set] = state.rank
        setDidChange(set)
    }

    private func tell(
        of set: ItemSet,
        _ call:
            @escaping @Sendable (any NSFileProviderReplicatedExtension & Sendable) async -> Void
    ) async throws {
        let state = try replica.read { try $0.state(of: set) }
        guard state.rank > state.told, try calls.isConnected() else { return }
        // After a crash of the machine, what is told of would be another change by the same number.
        try await replica.makeCommitsDurable()
        do {
            try await calls.tell(call)
        } catch  where CallWatch.hasGivenUp(because: error) {
            // It was told; that it does nothing with it is no reason to tell it again.
        }
        try await replica.write { try $0.noteTold(set, upTo: state.rank) }
    }
}
