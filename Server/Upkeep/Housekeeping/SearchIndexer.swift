import BasketDatabase
import BasketStore
import BasketSupport
import Synchronization

/// Reads what has changed into the search index, once nobody has written for a moment: whoever
/// searches then finds it done, and whoever writes a thousand files does not share the disk with it.
final class SearchIndexer: Sendable {
    private struct State {
        var domains: Set<Int64> = []
        /// Moves with every change.
        var changes = 0
    }

    /// The index waits for so long a silence,
    private static let silence = Duration.seconds(2)
    /// but no longer than this many of them.
    private static let mostSilences = 15
    /// Changes in one transaction: people's writes wait for no more than that.
    private static let step = 200

    private let store: Store
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init(store: Store) {
        self.store = store
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        store.hub.observe { [weak self] event in
            if case .changed(let domain, _) = event { self?.note([domain]) }
        }
    }

    /// Works until the task is cancelled.
    func run() async {
        do {
            note(try behind())
        } catch {
            log(error)
        }
        for await _ in wakeUps {
            do {
                try await waitForSilence()
                for domain in take() { try await index(domain) }
            } catch {
                // What is behind now is noticed at the next change, or when somebody searches.
                if !Task.isCancelled { log(error) }
            }
        }
    }

    private func note(_ domains: [Int64]) {
        guard !domains.isEmpty else { return }
        state.withLock { state in
            state.domains.formUnion(domains)
            state.changes += 1
        }
        wakeUp.yield()
    }

    private func take() -> [Int64] {
        state.withLock { state in
            defer { state.domains = [] }
            return state.domains.sorted()
        }
    }

    /// What a stopped server has left undone.
    private func behind() throws -> [Int64] {
        try store.read { db in
            try db.all(
                """
                SELECT domain.id FROM domain
                LEFT JOIN search_state ON search_state.domain = domain.id
                WHERE domain.deleted IS NULL
                    AND (search_state.rank IS NULL OR search_state.rank < domain.rank)
                """
            ) { row throws(SQLiteError) in row.integer(0) }
        }
    }

    private func waitForSilence() async throws {
        for _ in 0..<Self.mostSilences {
            let before = state.withLock { $0.changes }
            try await store.world.sleep(Self.silence)
            if state.withLock({ $0.changes }) == before { return }
        }
    }

    private func index(_ domain: Int64) async throws {
        var isDone = false
        while !isDone {
            try Task.checkCancellation()
            isDone = try await store.write {
                try $0.indexForSearch(domain: domain, limit: Self.step)
            }
        }
    }

    private func log(_ error: any Error) {
        store.world.log.error("indexing failed", ["error": .text("\(error)")])
    }
}
