import BasketConnection
import BasketModels
import BasketSupport
import FileProvider

/// Does what a person asked for by a menu.
struct ItemActions: Sendable {
    /// A lock that somebody takes by hand lasts an hour.
    private static let lockSeconds = 3600

    let session: ProviderSession
    let operations: ItemOperations

    func perform(_ action: ItemAction, on items: [String]) async throws {
        switch action {
        case .pin: try await session.device.pin(items, true)
        case .unpin: try await session.device.pin(items, false)
        default:
            for item in items {
                try await session.about(NSFileProviderItemIdentifier(server: item)) {
                    try await perform(action, on: item)
                }
            }
        }
        session.signal()
    }

    private func perform(_ action: ItemAction, on item: String) async throws {
        switch action {
        case .pin, .unpin: break
        case .favorite: try await rank(item, .set(session.world.now().milliseconds))
        case .unfavorite: try await rank(item, .clear)
        case .lock:
            let locks = try await session.call { connection, domain in
                try await connection.takeLock(
                    on: item, in: domain, LockRequest(seconds: Self.lockSeconds))
            }
            session.device.locks.setShown(false, item)
            await session.device.locks.save()
            await session.device.setLocks(locks, on: item)
        case .unlock:
            await session.device.setLocks(try await unlock(item), on: item)
        case .keepCurrent: try await resolve(item) { current, _ in [current] }
        case .keepOther: try await resolve(item) { _, others in Array(others.prefix(1)) }
        case .keepAll: try await resolve(item) { current, others in [current] + others }
        case .restorePrevious: try await restorePrevious(item)
        }
    }

    /// Gives up this device's lock. Where it has none, what others left behind, with a machine that is gone
    /// perhaps, is the domain's owner's to break.
    private func unlock(_ item: String) async throws -> [LockInfo] {
        let isOwner = try await session.facts().role == .owner
        return try await session.call { connection, domain in
            let before = try await connection.locks(on: item, in: domain)
            try await connection.giveUpLock(on: item, in: domain)
            let after = try await connection.locks(on: item, in: domain)
            guard isOwner, !after.isEmpty, after == before else { return after }
            try await connection.giveUpLock(on: item, in: domain, force: true)
            return try await connection.locks(on: item, in: domain)
        }
    }

    private func rank(_ item: String, _ rank: FieldChange<Int64>) async throws {
        var request = ChangeItemRequest()
        request.metadata.favoriteRank = rank
        _ = try await operations.change(item, request)
    }

    /// - Parameter choice: which versions stay, of the present one and those that lost, the newest first.
    private func resolve(
        _ item: String, _ choice: @Sendable (Version, [Version]) -> [Version]
    ) async throws {
        let versions = try await session.call { try await $0.versions(of: item, in: $1) }
        let others = versions.filter { $0.standing == .conflict }.map(\.version)
        guard !others.isEmpty,
            let current = versions.first(where: { $0.standing == .current })?.version
        else { return }  // Somebody else has decided.
        let request = ResolveConflictsRequest(keep: choice(current, others), base: current)
        _ = try await session.call {
            try await $0.resolveConflicts(of: item, in: $1, request)
        }
    }

    /// Done twice, it is undone: the content that gave way is the one before the present one then.
    private func restorePrevious(_ item: String) async throws {
        let versions = try await session.call { try await $0.versions(of: item, in: $1) }
        guard let current = versions.first(where: { $0.standing == .current }),
            let previous = versions.first(where: {
                $0.standing == .earlier && $0.sha256 != current.sha256
            })
        else { throw ProviderFailure.unsupported("There is no earlier version of it.") }
        _ = try await session.call {
            try await $0.restoreVersion(
                previous.version, of: item, in: $1, base: current.version)
        }
    }
}
