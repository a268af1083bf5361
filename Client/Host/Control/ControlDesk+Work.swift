import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// What is done here.
extension ControlDesk {
    /// Where only that is waited for, it is noted that the items are wanted.
    func download(_ request: ControlRequest, _ send: @escaping Send) async throws -> ControlDone {
        guard request.waits == true else {
            return try await each(request) { try await host.requestDownload(of: $0.id) }
        }
        guard try nodes(request.requiredItems()).allSatisfy({ $0.kind != .folder }) else {
            throw ControlRequest.bad("waits", "for files alone")
        }
        try await tellingProgress(request, send) {
            _ = try await self.each(request) { node in
                if node.kind == .file { try await self.host.materialise(node.id) }
            }
        }
        return ControlDone()
    }

    func evict(_ request: ControlRequest) async throws -> ControlDone {
        guard host.settings.allowsUserControlledEviction else {
            throw ControlError(
                .notSupported, "The provider does not let people remove downloads.",
                "What is not used goes by itself when there is little room.")
        }
        return try await each(request) { try await host.evict($0.id) }
    }

    func pause(_ request: ControlRequest) async throws -> ControlDone {
        try await host.disconnect(
            Disconnection(reason: request.reason ?? "Somebody paused it.", isTemporary: false))
        return ControlDone()
    }

    func resume() async throws -> ControlDone {
        try await host.reconnect()
        // Where a provider does so by itself, as whenever it is there again, nobody waits for it.
        host.hurry()
        return ControlDone()
    }

    func look() -> ControlDone {
        host.signal()
        return ControlDone()
    }

    func settleRemovals(areMeant: Bool) async throws -> RemovalCount {
        let count = try await areMeant ? host.confirmRemovals() : host.undoRemovals()
        return RemovalCount(removals: count)
    }

    func wait(_ request: ControlRequest, _ send: @escaping Send) async throws -> ControlDone {
        let folder = try request.items.map { _ in try node(of: request).id }
        let host = host
        try await tellingProgress(request, send) {
            if let folder {
                try await host.waitForChanges(below: folder)
            } else {
                try await host.waitForStabilisation()
            }
        }
        return ControlDone()
    }

    // MARK: The interactive testing mode

    func operations() async throws -> Listed<OperationEntry> {
        let found = try await host.availableOperations()
        listed.withLock { $0 = found }
        return Listed(found.enumerated().map { OperationEntry($1, number: $0) }, next: nil)
    }

    func run(_ request: ControlRequest) async throws -> Listed<OperationResult> {
        let numbers = try request.required(\.operations, "operations")
        let known = listed.withLock { $0 }
        let chosen: [TestingOperation] = try numbers.map { number in
            guard known.indices.contains(number) else {
                throw ControlError(
                    .noSuchOperation, "There is no operation \(number) in the last list.",
                    "Ask for “operations”, and run some of those.")
            }
            return known[number]
        }
        let errors = await host.run(chosen)
        return Listed(
            zip(numbers, chosen).map { number, operation in
                OperationResult(
                    number: number, error: errors[operation].map { ControlError($0, nil) })
            }, next: nil)
    }
}
