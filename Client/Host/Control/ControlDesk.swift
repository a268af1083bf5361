import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Answers the programs of the person whom a domain's host works for. Where requests come from, and who may send
/// them, is for others to see to: here they are bytes.
package final class ControlDesk: Sendable {
    /// Sends one line of an answer.
    package typealias Send = @Sendable ([UInt8]) async -> Void

    let host: DomainHost
    /// The operations of the interactive testing mode, as they were listed last.
    let listed = Mutex<[TestingOperation]>([])

    package init(_ host: DomainHost) {
        self.host = host
    }

    /// Does what a request asks for, and sends the lines of the answer: the last of them ends it, whatever the
    /// request is.
    package func answer(_ request: [UInt8], _ send: @escaping Send) async {
        var id: String?
        let line: [UInt8]
        do {
            let request = try ControlRequest.read(request, id: &id)
            line = try await carryOut(request, send)
        } catch {
            let refusal = ControlReply<ControlDone>(id, error: ControlError(error, nil))
            // Made of texts and numbers alone: it can always be written.
            line = (try? refusal.line) ?? []
        }
        await send(line)
    }

    /// The whole answer to a request, all lines of it.
    package func answer(_ request: [UInt8]) async -> [UInt8] {
        let lines = Mutex<[UInt8]>([])
        await answer(request) { line in lines.withLock { $0 += line } }
        return lines.withLock { $0 }
    }

    private func carryOut(_ request: ControlRequest, _ send: @escaping Send) async throws -> [UInt8]
    {
        func line(_ answer: some Codable & Sendable) throws -> [UInt8] {
            try ControlReply(request.id, answer: answer).line
        }
        switch request.ask {
        case .hello: return try line(Hello())
        case .status: return try line(status(request))
        case .why: return try line(story(request))
        case .children: return try line(children(request))
        case .actions: return try line(actions(request))
        case .perform: return try line(await perform(request))
        case .decorations: return try line(decorations(request))
        case .thumbnails: return try line(await thumbnails(request))
        case .interactions: return try line(alert(request))
        case .suppress: return try line(suppress(request))
        case .services: return try line(await services(request))
        case .service: return try line(await service(request))
        case .materialised: return try line(members(of: .materialised, request))
        case .pending: return try line(members(of: .pending, request))
        case .cache: return try line(cache(request))
        case .hydrations: return try line(hydrations(request))
        case .rescued: return try line(rescued(request))
        case .pin, .unpin: return try line(await pin(request))
        case .download: return try line(await download(request, send))
        case .evict: return try line(await evict(request))
        case .pause: return try line(await pause(request))
        case .resume: return try line(await resume())
        case .look: return try line(look())
        case .removals: return try line(removals(request))
        case .applyRemovals: return try line(await settleRemovals(areMeant: true))
        case .undoRemovals: return try line(await settleRemovals(areMeant: false))
        case .operations: return try line(await operations())
        case .run: return try line(await run(request))
        case .search: return try line(await search(request))
        case .check: return try line(await check(request))
        case .wait: return try line(await wait(request, send))
        }
    }

    // MARK: Items

    func node(_ item: ControlItem, _ reader: ReplicaReader) throws -> StoredNode {
        guard let node = try found(item, reader) else { throw ControlError.missing(item) }
        return node
    }

    private func found(_ item: ControlItem, _ reader: ReplicaReader) throws -> StoredNode? {
        if let number = item.node { return try reader.node(NodeID(rawValue: number)) }
        if let name = item.identifier {
            return try reader.node(identifier: NSFileProviderItemIdentifier(rawValue: name))
        }
        var node = try reader.node(.root)
        // Scalar by scalar: a mark at a name's beginning makes another character of the slash.
        for name in (item.path ?? "").unicodeScalars.split(separator: "/") {
            node = try node.flatMap { try reader.child(String(name), of: $0.id) }
        }
        return node
    }

    func nodes(_ items: [ControlItem]) throws -> [StoredNode] {
        try host.replica.read { reader in try items.map { try node($0, reader) } }
    }

    func node(of request: ControlRequest) throws -> StoredNode {
        try nodes([request.onlyItem()])[0]
    }

    /// Does something with each item; who fails is named.
    func each(
        _ request: ControlRequest, _ body: (StoredNode) async throws -> Void
    ) async throws -> ControlDone {
        let items = try request.requiredItems()
        for (item, node) in zip(items, try nodes(items)) {
            do {
                try await body(node)
            } catch {
                throw ControlError(error, item)
            }
        }
        return ControlDone()
    }

    // MARK: What takes its time

    private static let progressInterval = Duration.seconds(1)

    /// Tells now and then how far everything is, for as long as something is being done.
    func tellingProgress(
        _ request: ControlRequest, _ send: @escaping Send,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await work()
                return true
            }
            group.addTask {
                var last: ControlProgress?
                while true {
                    try await self.host.world.sleep(Self.progressInterval)
                    let progress = try self.progress()
                    // What stands still needs no line.
                    guard progress != last else { continue }
                    last = progress
                    await send(try ControlReply<ControlDone>(request.id, progress: progress).line)
                }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    private func progress() throws -> ControlProgress {
        ControlProgress(
            pending: try host.replica.read { try $0.pendingCount() },
            uploads: TransferState(host.totals(of: .uploading)),
            downloads: TransferState(host.totals(of: .downloading)))
    }
}
