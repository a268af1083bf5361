import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import FileProvider

/// Makes items of what appeared on the disk. Asked for the same again, it makes nothing twice.
struct ItemCreator: Sendable {
    let session: ProviderSession
    let operations: ItemOperations
    let modifier: ItemModifier
    let copies: ConflictCopies
    let creations: OwnCreations

    func create(
        _ template: ItemTemplate, _ fields: NSFileProviderItemFields, _ content: LocalContent?,
        _ options: NSFileProviderCreateItemOptions
    ) async throws -> ItemReply {
        let template = template.asCreation
        if options.contains(.mayAlreadyExist), template.kind == .file, content == nil {
            return try await match(template, fields)
        }
        // By what the domain is called for good: the key is the same again, whatever is known by then.
        let facts = try await session.facts()
        let key = key(
            of: template, options, replica: try await session.device.replica(), domain: facts.id)
        let liesInTrash = template.parent == .trashContainer
        // Where there is no trash any more, what was put there comes back.
        let isForTrash = liesInTrash && facts.hasTrash
        // Names do not collide there, and nothing would tell that it is there.
        if isForTrash, options.contains(.mayAlreadyExist),
            let found = try await session.listings.child(
                template.name, of: template.parent.serverID, session),
            try await isSame(found, template, content)
        {
            return ItemReply(
                item: try await session.item(found),
                pending: template.unsupported(fields))
        }
        var request = CreateItemRequest(
            parent: liesInTrash ? "root" : template.parent.serverID, name: template.name,
            kind: template.kind)
        request.key = key.text
        // In the trash, names never collide; on the way there, they must not either.
        request.ifExists = liesInTrash ? .rename : .fail
        request.metadata = template.metadata(fields, replacing: nil, now: session.world.now())
        if template.kind == .symlink { request.metadata.target = .set(template.target ?? "") }
        do {
            let made = try await send(request, content)
            return try await finish(made, template, fields, content, isForTrash)
        } catch let error as ConnectionError {
            return try await settle(error, template, fields, content, options)
        }
    }

    /// What was written to an item that was deleted meanwhile may be there already, as a copy that was made while
    /// the item still was: then nobody has heard of that.
    private func key(
        of template: ItemTemplate, _ options: NSFileProviderCreateItemOptions, replica: String,
        domain: String
    ) -> CreationKey {
        let item = template.identifier.rawValue
        if options.contains(.deletionConflicted), template.kind == .file,
            let base = template.version?.content(of: item)
        {
            return CreationKey(
                replica: replica, domain: domain, conflict: item, base: base, nil)
        }
        return CreationKey(replica: replica, domain: domain, template)
    }

    private func send(
        _ request: CreateItemRequest, _ content: LocalContent?
    ) async throws -> ItemOperations.Outcome {
        var request = request
        guard let content else { return try await operations.create(request) }
        if let bytes = try content.inline() {
            request.content = Base64Bytes(bytes)
            return try await operations.create(request)
        }
        let complete = request
        let answer = try await session.call { connection, domain in
            try await content.create(complete, connection, domain)
        }
        return ItemOperations.Outcome(item: answer.item, isNew: answer.isNew)
    }

    private func finish(
        _ made: ItemOperations.Outcome, _ template: ItemTemplate,
        _ fields: NSFileProviderItemFields, _ content: LocalContent?, _ isForTrash: Bool
    ) async throws -> ItemReply {
        creations.add(made.item.id)
        guard made.isNew else {
            // It was made before, by a call whose answer nobody heard. What people did to it here since then
            // is a change of what was made; and so is what others did to it there.
            let first = NSFileProviderItemVersion(
                contentVersion: NSFileProviderItemVersion.beforeFirstSyncComponent,
                metadataVersion: NSFileProviderItemVersion.beforeFirstSyncComponent)
            var all = fields.union([.filename, .parentItemIdentifier])
            var present: Version?
            let standing = try await standing(of: content, template, made.item)
            switch standing {
            // Sent once more, a content would take its date with it, which others may have changed.
            case .same, .before: all.remove(.contents)
            case .next:
                if content != nil || template.kind == .symlink { all.insert(.contents) }
                present = made.item.contentVersion
            case .beside:
                // Written over nothing, it goes over nothing.
                creations.disown(made.item.id)
                all.insert(.contents)
            }
            // Somebody may have moved it out of a folder that is gone by now: there it stays.
            if made.item.parent != template.parent.serverID,
                try await session.isGone(template.parent)
            {
                all.remove(.parentItemIdentifier)
            }
            var reply: ItemReply
            do {
                reply = try await modifier.modify(
                    made.item.id, template, first, all, content, [], following: present)
            } catch ProviderFailure.collision {
                // It was made, and stays where it was until the name that it has by now is free.
                let place: NSFileProviderItemFields = [.filename, .parentItemIdentifier]
                reply = try await modifier.modify(
                    made.item.id, template, first, all.subtracting(place), content, [],
                    following: present)
                reply.pending.formUnion(place)
            }
            // Or others have changed it since it was compared.
            let isOther =
                standing == .same && reply.item?.info.contentVersion != made.item.contentVersion
            if content == nil || standing == .same || standing == .before {
                reply.shouldFetch = standing == .before || isOther
            }
            return reply
        }
        var item = made.item
        if isForTrash { item = try await operations.trash(item.id) }
        // Others may have written to it before it was in the trash.
        return ItemReply(
            item: try await session.item(item),
            pending: template.unsupported(fields),
            shouldFetch: item.contentVersion != made.item.contentVersion)
    }

    /// What bytes are to an item that was made before.
    private enum Standing {
        case same
        /// They follow what it was made with.
        case next
        /// It had them: they are no news over what has been written since then, also from here.
        case before
        /// Something else was written since then, maybe from here by somebody who took it for another file: the
        /// server takes what one device writes over one version for one line of contents.
        case beside
    }

    private func standing(
        of content: LocalContent?, _ template: ItemTemplate, _ item: ItemInfo
    ) async throws -> Standing {
        guard let content else { return .next }
        if try await isSame(item, template, content) { return .same }
        guard item.kind == .file, let first = Version(item.id) else { return .next }
        let hash = try await content.hash()
        // Where these calls wrote what is there, somebody may have gone back to what it was before.
        if item.contentVersion != first, let present = item.sha256,
            !creations.hasSent(present, to: item.id)
        {
            return try await copies.isKnown(hash, of: item.id, base: first) ? .before : .beside
        }
        creations.note(sent: hash, to: item.id)
        return .next
    }

    // MARK: What stands in the way

    private func settle(
        _ error: ConnectionError, _ template: ItemTemplate, _ fields: NSFileProviderItemFields,
        _ content: LocalContent?, _ options: NSFileProviderCreateItemOptions
    ) async throws -> ItemReply {
        switch Reaction(error) {
        case .forget:
            guard try await session.isGone(template.parent) else { throw error }
            throw ProviderFailure.noSuchItem(template.parent)
        case .rename:
            guard case .problem(let problem) = error, let holder = problem.existing else {
                throw error
            }
            let existing = try await session.freshItem(holder)
            let pending = template.unsupported(fields)
            if try await isSame(existing.info, template, content) {
                return ItemReply(item: existing, pending: pending)
            }
            guard options.contains(.mayAlreadyExist), existing.info.kind == .file,
                template.kind == .file, let content
            else { throw ProviderFailure.collision(existing) }
            // The disk's file is the server's with other bytes, and nobody knows whose are the newer ones.
            if content.size > 0 {
                try await copies.keep(content, of: existing.info, base: nil, template)
            }
            return ItemReply(
                item: try await session.freshItem(holder), pending: pending, shouldFetch: true)
        default: throw error
        }
    }

    /// Whether what has the name is what was to be made: the same bytes are never a conflict, and folders of
    /// one name are one folder.
    private func isSame(
        _ existing: ItemInfo, _ template: ItemTemplate, _ content: LocalContent?
    ) async throws -> Bool {
        guard existing.kind == template.kind else { return false }
        switch existing.kind {
        case .folder: return true
        case .symlink:
            return (existing.target ?? "").hasSameBytes(as: template.target ?? "")
        case .file:
            guard let content else { return existing.sha256 == nil || existing.size == 0 }
            guard content.size == existing.size else { return false }
            if content.size == 0 { return true }
            return try await content.hash() == existing.sha256
        }
    }

    /// A file on the disk without its content: it is the one of that name in that folder, or none.
    private func match(
        _ template: ItemTemplate, _ fields: NSFileProviderItemFields
    ) async throws -> ItemReply {
        let found = try await session.listings.child(
            template.name, of: template.parent.serverID, session)
        guard let found, found.kind == .file else { return ItemReply() }
        return ItemReply(
            item: try await session.item(found),
            pending: template.unsupported(fields))
    }
}
