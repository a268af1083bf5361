import BasketConnection
import BasketModels
import BasketSupport
import FileProvider

/// Brings changes of known items to the server: exactly the fields that changed, over the versions that
/// their writer had seen. What others changed meanwhile stays theirs, and contents that lost are kept.
struct ItemModifier: Sendable {
    let session: ProviderSession
    let operations: ItemOperations
    let copies: ConflictCopies
    let creations: OwnCreations
    private var unheard = UnheardChanges()
    private let turns = ItemTurns()
    /// Once more than for others: an earlier content of this device may have come in while this one did, and
    /// that is none to whoever asks again.
    private static let mostWrites = 2

    init(
        session: ProviderSession, operations: ItemOperations, copies: ConflictCopies,
        creations: OwnCreations
    ) {
        self.session = session
        self.operations = operations
        self.copies = copies
        self.creations = creations
    }

    /// For who writes to the same items, and is not known to be the same: what one of them has sent is no reason for the
    /// other to write over it.
    func asAnother() -> ItemModifier {
        var other = self
        other.unheard = UnheardChanges()
        return other
    }

    /// - Parameter present: what the content follows, where it is that of a creation that is asked for once more.
    func modify(
        _ id: String, _ template: ItemTemplate, _ base: NSFileProviderItemVersion,
        _ fields: NSFileProviderItemFields, _ content: LocalContent?,
        _ options: NSFileProviderModifyItemOptions, following present: Version? = nil
    ) async throws -> ItemReply {
        var reply = ItemReply(pending: template.unsupported(fields))
        let writesContent = fields.contains(.contents) && template.kind == .file && content != nil
        // Nothing was handed over that could have been accepted.
        if fields.contains(.contents), template.kind == .file, content == nil {
            reply.pending.insert(.contents)
        }
        var metadata = fields
        // The content's date goes with the content.
        if writesContent { metadata.remove(.contentModificationDate) }
        var newest: ItemInfo?
        // First what may be refused for its name: a content is not sent for nothing.
        if let changed = try await changeMetadata(id, template, base, metadata) {
            newest = changed
        }
        if writesContent, let content {
            // An item that was made here, and is not known to be that, is told of as somebody else's: then two may
            // write to it over the version that it was made with, and the server takes both for one.
            let (item, wasKept) = try await turns.alone(with: id) {
                let seen = seenContent(of: id, base)
                let isNext = try await isNext(id, over: seen, following: present)
                return try await write(
                    content, to: id, template, isNext ? seen : nil, options)
            }
            newest = item
            reply.shouldFetch = wasKept
            if wasKept { creations.disown(id) }
        }
        if let newest {
            reply.item = try await session.item(newest)
        } else {
            reply.item = try await session.freshItem(id)
        }
        // A content that the system has not seen, it would take for the one that it has.
        if !writesContent, let info = reply.item?.info, info.kind == .file {
            reply.shouldFetch = info.contentVersion != base.content(of: id)
        }
        return reply
    }

    // MARK: Metadata

    /// - Returns: the item afterwards; nil when there is nothing to say of it.
    private func changeMetadata(
        _ id: String, _ template: ItemTemplate, _ base: NSFileProviderItemVersion,
        _ fields: NSFileProviderItemFields
    ) async throws -> ItemInfo? {
        var stored: [String: Data] = [:]
        if fields.contains(.extendedAttributes) {
            stored = ReservedAttribute.all(
                of: try await session.call { try await $0.item(id, in: $1) })
        }
        var request = ChangeItemRequest()
        request.base = base.metadata(of: id)
        request.metadata = template.metadata(
            fields, replacing: stored, now: session.world.now())
        if template.kind == .symlink, fields.contains(.contents), let target = template.target {
            request.metadata.target = .set(target)
        }
        if template.identifier != .rootContainer {
            if fields.contains(.filename) { request.name = template.name }
            if fields.contains(.parentItemIdentifier) {
                request.parent = template.parent.serverID
            }
        }
        let movesNothing = request.name == nil && request.parent == nil
        guard !movesNothing || !request.metadata.isEmpty else { return nil }
        do {
            return try await change(id, request)
        } catch let error as ConnectionError {
            return try await settle(error, id, template, request)
        }
    }

    private func change(_ id: String, _ request: ChangeItemRequest) async throws -> ItemInfo {
        let item: ItemInfo
        do {
            item = try await operations.change(id, request)
        } catch {
            if Self.mayBeDone(error) { unheard.add(request, of: id) }
            throw error
        }
        let before = unheard.take(id, over: request.base)
        guard let rest = request.rest(after: before, now: item) else { return item }
        do {
            return try await operations.change(id, rest)
        } catch {
            for request in before { unheard.add(request, of: id) }
            if Self.mayBeDone(error) { unheard.add(request, of: id) }
            throw error
        }
    }

    /// A refusal says that nothing was done; nothing else does.
    private static func mayBeDone(_ error: any Error) -> Bool {
        guard case .problem(let problem)? = error as? ConnectionError else { return true }
        return problem.status >= 500
    }

    /// Where the place cannot be had, the rest is applied all the same.
    private func settle(
        _ error: ConnectionError, _ id: String, _ template: ItemTemplate,
        _ request: ChangeItemRequest
    ) async throws -> ItemInfo {
        switch (Reaction(error), error.code) {
        case (.rename, _):
            guard case .problem(let problem) = error, let holder = problem.existing else {
                throw error
            }
            throw ProviderFailure.collision(try await session.freshItem(holder))
        case (.forget, _):
            // Either the item or the folder that it goes to is not there any more.
            guard request.parent != nil,
                try await !session.isGone(NSFileProviderItemIdentifier(server: id)),
                try await session.isGone(template.parent)
            else { throw error }
            guard template.parent == .trashContainer else {
                throw ProviderFailure.noSuchItem(template.parent)
            }
            return try await changeInPlace(id, request)
        case (_, "move_into_itself"), (_, "trash_disabled"), (_, "not_a_folder"),
            (_, "permanent_item"):
            // Two moves, here and there, would make a circle: the server's stands, and undoes this one. And
            // what has no trash gives back what was put there.
            guard request.name != nil || request.parent != nil else { throw error }
            return try await changeInPlace(id, request)
        default: throw error
        }
    }

    private func changeInPlace(_ id: String, _ request: ChangeItemRequest) async throws -> ItemInfo
    {
        var rest = request
        rest.name = nil
        rest.parent = nil
        if rest.metadata.isEmpty { return try await session.freshItem(id).info }
        return try await change(id, rest)
    }

    // MARK: Contents

    /// The content version that the writer had seen; nil for none.
    private func seenContent(of id: String, _ base: NSFileProviderItemVersion) -> Version? {
        let isFromBefore =
            base.contentVersion == NSFileProviderItemVersion.beforeFirstSyncComponent
        return isFromBefore && !creations.contains(id) ? nil : base.content(of: id)
    }

    /// Whether nobody else here has written to it over that version.
    private func isNext(
        _ id: String, over seen: Version?, following present: Version?
    ) async throws -> Bool {
        if let present {
            return try await session.freshItem(id).info.contentVersion == present
        }
        guard let seen, seen == Version(id), creations.hasSentAny(to: id) else { return true }
        let hash = try await session.freshItem(id).info.sha256
        return hash.map { !creations.hasSent($0, to: id) } ?? true
    }

    /// - Returns: the item afterwards, and whether its content is another one than what was written here.
    private func write(
        _ content: LocalContent, to id: String, _ template: ItemTemplate, _ seen: Version?,
        _ options: NSFileProviderModifyItemOptions
    ) async throws -> (ItemInfo, isOther: Bool) {
        var base = seen
        if base == nil {
            // Over nothing, anybody may write.
            let item = try await session.freshItem(id).info
            if item.sha256 == nil { base = item.contentVersion }
        }
        let sent = await session.device.sendingDate()
        for _ in 1...Self.mostWrites {
            guard let base else { break }
            do {
                let answer = try await session.call { connection, domain in
                    try await content.replace(
                        id, over: base, modified: template.modified, sent: sent, connection, domain)
                }
                return (answer.item, false)
            } catch let error as ConnectionError where Reaction(error) == .settleConflict {
                continue
            }
        }
        return try await settle(content, of: id, template, base, options)
    }

    /// Somebody else has changed the content since the writer saw it.
    private func settle(
        _ content: LocalContent, of id: String, _ template: ItemTemplate, _ base: Version?,
        _ options: NSFileProviderModifyItemOptions
    ) async throws -> (ItemInfo, isOther: Bool) {
        let item = try await session.freshItem(id).info
        guard try await content.hash() != item.sha256 else { return (item, false) }
        guard !options.contains(.failOnConflict) else { throw ProviderFailure.conflict }
        // Of no bytes, nothing can be lost.
        if content.size == 0 { return (item, true) }
        try await copies.keep(content, of: item, base: base, template)
        session.signal()
        return (try await session.freshItem(id).info, true)
    }
}
