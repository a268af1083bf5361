import BasketSupport
import FileProvider
import Foundation
import Synchronization

// What tests ask a domain's manager to do. The API has these as calls that return when all is done: they keep the
// caller's thread waiting, which therefore must be one of its own. Called in a task, they would take a thread away
// from those that have to do the work, and on an executor that has only that one they would never return.
extension DomainSystem {
    package func listAvailableTestingOperations(
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [any NSFileProviderTestingOperation] {
        try wait { try await $0.availableOperations() }
    }

    package func run(
        _ operations: [any NSFileProviderTestingOperation],
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [AnyHashable: any Error] {
        let known = operations.compactMap { $0 as? TestingOperation }
        // What this system did not list is nothing that it could do.
        guard known.count == operations.count else { throw CocoaError(.featureUnsupported) }
        let errors = try wait { await $0.run(known) }
        return Dictionary(uniqueKeysWithValues: errors.map { (AnyHashable($0), $1) })
    }

    private func wait<Value: Sendable>(
        _ work: @escaping @Sendable (DomainHost) async throws -> Value
    ) throws -> Value {
        guard let host else { throw NSFileProviderError(.providerDomainTemporarilyUnavailable) }
        guard host.settings.isInteractive else { throw HostError.notInteractive }
        let answer = Answered<Value>()
        _ = world.spawn {
            do {
                answer.give(.success(try await work(host)))
            } catch {
                answer.give(.failure(error))
            }
        }
        return try answer.wait()
    }

    private final class Answered<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)
        private let isThere = Semaphore()

        func give(_ result: Result<Value, any Error>) {
            self.result.withLock { $0 = result }
            isThere.signal()
        }

        func wait() throws -> Value {
            isThere.wait()
            guard let result = result.withLock({ $0 }) else {
                throw CocoaError(.featureUnsupported)
            }
            return try result.get()
        }
    }
}
