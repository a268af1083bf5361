import FileProvider
import Synchronization

/// One thing at a time for each domain, in the order in which it was asked for.
final class DomainTurns: Sendable {
    private typealias Waiting = [CheckedContinuation<Void, Never>]
    /// Whoever is here has somebody at work; the others wait.
    private let queues = Mutex<[NSFileProviderDomainIdentifier: Waiting]>([:])

    func alone<Result>(
        with domain: NSFileProviderDomainIdentifier, _ body: () async throws -> Result
    ) async rethrows -> Result {
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                guard queues[domain] != nil else {
                    queues[domain] = []
                    return true
                }
                queues[domain]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { leave(domain) }
        return try await body()
    }

    private func leave(_ domain: NSFileProviderDomainIdentifier) {
        let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            guard var waiting = queues[domain], !waiting.isEmpty else {
                queues[domain] = nil
                return nil
            }
            let next = waiting.removeFirst()
            queues[domain] = waiting
            return next
        }
        next?.resume()
    }
}
