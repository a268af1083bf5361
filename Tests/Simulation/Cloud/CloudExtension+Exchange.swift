import BasketSupport
import FileProvider
import Foundation
import Synchronization

// How calls come to their answers.
extension CloudExtension {
    /// Does something at the cloud, after a while, or fails before or after it.
    /// - Parameter kind: what it is counted as while it is not answered.
    func answer(
        as kind: String? = nil, _ work: @escaping @Sendable () throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        network.note(sent: "what is there")
        if let kind { network.companion.begin(kind) }
        _ = world.spawn {
            defer { if let kind { self.network.companion.end(kind) } }
            do {
                try await self.network.travel()
                try work()
            } catch {
                failed(error)
            }
        }
    }

    /// - Parameters:
    ///   - kind: what the call is counted as while it is not answered.
    ///   - item: what it is to change.
    func exchange<Value: Sendable>(
        about what: String = "something", as kind: String? = nil, of item: String? = nil,
        _ work: @escaping @Sendable () throws -> Value,
        _ answered: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Progress {
        let progress = SharedProgress(unitCount: 0)
        network.note(sent: what)
        let isOver = Mutex(false)
        let end = { @Sendable in
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            guard isFirst else { return }
            if let kind { self.network.companion.end(kind) }
            if let item { self.network.companion.end("change of \(item)") }
        }
        if let kind { network.companion.begin(kind) }
        if let item { network.companion.begin("change of \(item)") }
        // What nobody wants any more is done with.
        progress.cancellationHandler = end
        _ = world.spawn {
            let result: Result<Value, any Error>
            do {
                try await self.network.travel(reporting: progress)
                let value = Result { try work() }
                if kind != nil { try await self.network.linger() }
                try await self.network.travel(reporting: progress)
                result = value
            } catch {
                result = .failure(error)
            }
            end()
            answered(result)
            if self.network.companion.answersTwice {
                answered(.failure(CocoaError(.fileNoSuchFile)))
            }
        }
        return progress
    }
}
