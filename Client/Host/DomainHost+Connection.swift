import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// Whether the extension is called at all.
extension DomainHost {
    /// Why it is not called for now; nil when it is.
    package func disconnection() throws -> Disconnection? {
        try replica.read { try $0.disconnection() }
    }

    /// Calls the extension no more, also after a restart. What is here stays usable, and what is changed here
    /// is sent later.
    package func disconnect(_ disconnection: Disconnection) async throws {
        try await replica.write { try $0.set(disconnection) }
        calls.running.giveUpAll(HostError.disconnected)
    }

    package func reconnect() async throws {
        try await replica.write { try $0.set(nil) }
        _ = outage.end()
        retryAll()
        signal()
    }

    /// An error does not stand any more: whatever waited because of it is tried again.
    package func resolve(_ error: any Error) async throws {
        // With what is said to be over, whatever had everything wait is.
        let over = [error, outage.end()].compactMap { $0 as NSError? }.map {
            (domain: $0.domain, code: $0.code)
        }
        let isExcluded = Reaction(error) == .excluded
        try await replica.write { transaction in
            for (domain, code) in over { try transaction.resolve(domain: domain, code: code) }
            if isExcluded { try transaction.include(.byProvider) }
        }
        retryAll()
        signal()
    }

    /// Which error each of them had is not kept: all may try again.
    private func retryAll() {
        let now = world.uptime()
        state.withLock { state in
            state.fetchFailures = [:]
            state.looks.hurry(at: now)
        }
    }

    /// Has fields of an item sent as if they had been changed here. It is stored when this returns.
    package func requestModification(
        of fields: NSFileProviderItemFields, of id: NodeID,
        options: NSFileProviderModifyItemOptions
    ) async throws {
        let isKnown = try await replica.write { transaction in
            guard let before = try transaction.reader.node(id), before.trees.local != nil,
                before.trees.remote != nil, before.exclusion == .no, id != .root, id != .trash
            else { return false }
            let isHere =
                before.kind == .symlink || before.kind == .file && before.residence == .whole
            if fields.contains(.contents), !isHere {
                throw CocoaError(.ubiquitousFileUnavailable)
            }
            var node = before
            node.request.fields.formUnion(fields)
            node.request.options.formUnion(options)
            try transaction.save(node, before: before)
            return true
        }
        guard isKnown else { throw LocalError.notFound }
        hurry()
    }
}
