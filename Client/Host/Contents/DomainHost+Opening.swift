import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

// What programs do with files.
extension DomainHost {
    /// Opens a file. Nothing is brought here before somebody reads.
    package func open(
        _ id: NodeID, for access: FileAccess, by program: Program
    ) async throws -> OpenFile {
        if access != .reading { try replica.read { try rights($0).requireWriting(id) } }
        let content = try openContents.open(id, isWriter: access != .reading)
        let file = open(content, for: access, by: program)
        if access == .replacing {
            do {
                try await file.resize(to: 0)
            } catch {
                try await file.close()
                throw error
            }
        }
        return file
    }

    /// Makes a file, for somebody who writes to it.
    package func create(
        _ name: String, in parent: NodeID, by program: Program
    ) async throws -> OpenFile {
        let saved = namesLeft.node(that: parent, hadAs: name)
        let content = try await openContents.alone(saved.map { [$0] } ?? []) {
            try await create(name, in: parent, saving: saved)
        }
        return open(content, for: .writing, by: program)
    }

    /// - Parameter saved: who had the name a moment ago, and gets it back with what is written now.
    private func create(
        _ name: String, in parent: NodeID, saving saved: NodeID?
    ) async throws -> OpenContent {
        let contents = openContents
        let begun = Mutex<(content: OpenContent, kept: NodeID?)?>(nil)
        do {
            try await replica.write { transaction in
                try self.rights(transaction.reader).requireAdding(to: parent)
                let new = try transaction.make(name, in: parent, kind: .file)
                let isSaved = try self.exchange(saved, with: new, transaction)
                let id = isSaved ? saved ?? new : new
                guard let seen = try transaction.reader.content(of: id) else { return }
                // Before the transaction ends: nobody sends the file before it is written. It may be begun twice.
                begun.withLock { begun in
                    if let other = begun { contents.forget(other.content, isWriter: true) }
                    begun = (contents.add(id, seen, isWriter: true), isSaved ? new : nil)
                }
            }
        } catch {
            if let begun = begun.withLock({ $0 }) {
                contents.forget(begun.content, isWriter: true)
            }
            throw error
        }
        guard let (content, kept) = begun.withLock({ $0 }) else { throw LocalError.notFound }
        if let saved, let kept {
            contents.move(saved, to: kept, but: content)
            noteSaved(saved, kept)
        }
        return content
    }

    /// - Returns: whether the one has the other one's place and bytes now.
    private func exchange(
        _ saved: NodeID?, with new: NodeID, _ transaction: ReplicaTransaction
    ) throws -> Bool {
        guard let saved, let place = try transaction.reader.node(new)?.trees.local else {
            return false
        }
        do {
            let rights = rights(transaction.reader)
            try rights.requireWriting(saved)
            try rights.requireMoving(saved, to: place.parent, as: place.name, replacing: nil)
        } catch LocalError.notAllowed {
            return false
        }
        return try transaction.exchange(saved, with: new)
    }

    private func noteSaved(_ saved: NodeID, _ kept: NodeID) {
        namesLeft.forget(saved)
        for id in [saved, kept] { remark(id) }
    }

    private func open(
        _ content: OpenContent, for access: FileAccess, by program: Program
    ) -> OpenFile {
        openContents.noteUse(of: content.node)
        let isWriter = access != .reading
        if isWriter, !settings.isInteractive { presence.begin(content.node) }
        return OpenFile(
            content, host: self, program: program, isWriter: isWriter,
            isMaterialising: !settings.nonMaterialising.contains(program))
    }

    func close(_ content: OpenContent, isWriter: Bool) async throws {
        do {
            if try await openContents.close(content, isWriter: isWriter) {
                try await wake([content.node])
            }
        } catch {
            // What could not be noted is noted by whoever looks after it.
            try? await wake([content.node])
            throw error
        }
    }

    // MARK: The tree

    /// Everything that people do goes by it; what the host does by itself does not.
    private func rights(_ reader: ReplicaReader) -> Rights {
        Rights(reader: reader, hasTrash: settings.supportsSyncingTrash)
    }

    /// Makes a folder, a symlink or an empty file.
    package func make(
        _ name: String, in parent: NodeID, kind: NodeKind, target: String? = nil
    ) async throws -> NodeID {
        try await replica.write { transaction in
            try self.rights(transaction.reader).requireAdding(to: parent)
            return try transaction.make(name, in: parent, kind: kind, target: target)
        }
    }

    /// Gives a node another name or another folder.
    /// - Parameter replaces: whether who has the name gives way, as far as a file system allows it.
    /// - Returns: the node that is there now.
    @discardableResult
    package func move(
        _ id: NodeID, to parent: NodeID, as name: String, replaces: Bool
    ) async throws -> NodeID {
        while true {
            let victim = try replica.read { try $0.child(name, of: parent)?.id }
            let saved = victim == nil ? namesLeft.node(that: parent, hadAs: name) : nil
            let moved = try await openContents.alone([id] + [victim, saved].compactMap(\.self)) {
                let outcome: Move? = try await replica.write { transaction in
                    // Somebody may have come to have the name meanwhile.
                    guard try transaction.reader.child(name, of: parent)?.id == victim else {
                        return nil
                    }
                    try self.rights(transaction.reader).requireMoving(
                        id, to: parent, as: name, replacing: replaces ? victim : nil)
                    let left = try transaction.reader.node(id)
                    let heir = try transaction.move(id, to: parent, as: name, replaces: replaces)
                    let isSaved =
                        try heir == id && saved != id
                        && self.exchange(saved, with: id, transaction)
                    return Move(left: left, heir: isSaved ? saved ?? id : heir, isSaved: isSaved)
                }
                guard let outcome else { return nil as Move? }
                if outcome.isSaved {
                    openContents.exchange(id, outcome.heir)
                } else if outcome.heir != id {
                    openContents.move(id, to: outcome.heir)
                } else if let victim, victim != id {
                    openContents.remove(victim)
                }
                return outcome
            }
            guard let moved else { continue }
            if moved.isSaved {
                noteSaved(moved.heir, id)
            } else {
                remark(moved.heir)
                if moved.heir == id, let left = moved.left { namesLeft.note(left) }
            }
            try await wake([id, moved.heir].filter(openContents.isOpen))
            return moved.heir
        }
    }

    private struct Move {
        let left: StoredNode?
        let heir: NodeID
        /// Whether the heir had the name before, and has it back.
        let isSaved: Bool
    }

    package func remove(_ id: NodeID) async throws {
        try await openContents.alone([id]) {
            try await replica.write { transaction in
                try self.rights(transaction.reader).requireRemoving(id)
                try transaction.remove(id)
            }
            openContents.remove(id)
        }
        try await wake([id].filter(openContents.isOpen))
    }

    /// What waited until nobody writes to it is looked at again: it was looked at before that was known.
    func wake(_ ids: [NodeID]) async throws {
        if ids.isEmpty { return }
        try await replica.write { transaction in
            for id in ids { try transaction.touch(id) }
        }
    }

    /// Changes what is said of a node.
    package func setAttributes(
        of id: NodeID, _ change: @escaping @Sendable (inout EntryAttributes) -> Void
    ) async throws {
        // What was written before must not set another date afterwards.
        try await openContents.current(id)?.finish(.flush)
        try await replica.write { transaction in
            let before = try transaction.local(id).entry
            try transaction.setAttributes(of: id, change)
            // When it was last used, whoever may only read notes as well.
            let fields = try transaction.local(id).entry.fields(differingFrom: before)
            guard fields.subtracting(.lastUsedDate).isEmpty else {
                return try self.rights(transaction.reader).requireChanging(id)
            }
        }
    }

    // MARK: Quiet moments

    /// Files that programs keep open are sent when nobody has written to them for a while.
    func sendWhatIsQuiet() async {
        while !Task.isCancelled {
            let count = replica.changes.count
            for content in openContents.quiet() {
                do {
                    try await content.finish(.quiet)
                    try await wake([content.node])
                } catch {
                    world.log.warning(
                        "what was written cannot be taken in", ["error": .text("\(error)")])
                }
            }
            guard let pause = openContents.untilQuiet() else {
                await replica.changes.wait(since: count)
                continue
            }
            try? await world.sleep(max(pause, Self.firstPause))
        }
    }
}
