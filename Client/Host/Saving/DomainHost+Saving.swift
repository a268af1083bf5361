import BasketSupport
import FileProviderReplica
import Synchronization

// Files that are made, and names that are given: by both, programs save.
extension DomainHost {
    /// Makes a file, for somebody who writes to it.
    package func create(
        _ name: String, in parent: NodeID, attributes: EntryAttributes? = nil,
        by program: Program
    ) async throws -> OpenFile {
        let saved = await saved(that: parent, hadAs: name)
        if saved == nil, let made = try await createBegun(name, in: parent, attributes) {
            return open(made.content, for: .writing, by: program, made: made.node)
        }
        try await noteWritten([saved])
        let made = try await openContents.alone(saved.map { [$0] } ?? []) {
            try await create(name, in: parent, attributes, saving: saved)
        }
        return open(made.content, for: .writing, by: program, made: made.node)
    }

    /// Most often who makes a file writes to it at once: that is begun with the same change.
    /// - Returns: nil where the disk has no room for one.
    private func createBegun(
        _ name: String, in parent: NodeID, _ attributes: EntryAttributes?
    ) async throws -> Made? {
        var begun = try await replica.beginFile()
        guard let number = begun?.number else { return nil }
        do {
            return try await create(name, in: parent, attributes, begun, saving: nil)
        } catch {
            // Nobody holds it any more.
            begun = nil
            replica.discardUnlessNamed(number)
            throw error
        }
    }

    /// Who had a name in a folder a moment ago. What it holds is durable: the provider's copy is about to be written over.
    private func saved(that parent: NodeID, hadAs name: String) async -> NodeID? {
        let id = saves.node(that: parent, hadAs: name) { id in
            state.withLock { $0.busy.contains(id) }
        }
        guard let id else { return nil }
        do {
            try await world.aside { try await self.replica.synchronise(id) }
            return id
        } catch {
            world.log.warning(
                "what a program keeps while it saves cannot be made durable",
                ["node": .number(id.rawValue), "error": .text("\(error)")])
            return nil
        }
    }

    /// - Parameter saved: who had the name a moment ago, and gets it back with what is written now.
    private func create(
        _ name: String, in parent: NodeID, _ attributes: EntryAttributes?,
        _ file: BegunFile? = nil, saving saved: NodeID?
    ) async throws -> Made {
        let contents = openContents
        let begun = Mutex<(made: Made, kept: NodeID?)?>(nil)
        let mark: ContentMark?
        do {
            mark = try await replica.writeSoon { transaction in
                try self.rights(transaction.reader).requireAdding(to: parent)
                let new = try transaction.make(
                    name, in: parent, kind: .file, attributes: attributes,
                    writtenIn: file?.number)
                let isSaved = try self.exchange(saved, with: new, transaction)
                let id = isSaved ? saved ?? new : new
                guard let node = try transaction.reader.node(id), let seen = SeenContent(node)
                else { return nil }
                // Before the transaction ends: nobody sends the file before it is written. It may be begun twice.
                begun.withLock { begun in
                    if let other = begun { contents.forget(other.made.content, isWriter: true) }
                    let content = contents.addMade(id, seen, begun: file)
                    begun = (Made(content: content, node: node), isSaved ? new : nil)
                }
                return try file == nil ? nil : transaction.reader.mark(of: node)
            }
        } catch {
            if let begun = begun.withLock({ $0 }) {
                contents.forget(begun.made.content, isWriter: true)
            }
            throw error
        }
        guard let (made, kept) = begun.withLock({ $0 }) else { throw LocalError.notFound }
        if let file, let mark { made.content.note(mark, at: file.number) }
        if let saved, let kept {
            contents.move(saved, to: kept, but: made.content)
            note(saved: saved, keeping: kept)
        }
        return made
    }

    private struct Made {
        let content: OpenContent
        /// As it was then.
        let node: StoredNode
    }

    /// - Returns: whether the one has the other one's place and bytes now.
    private func exchange(
        _ saved: NodeID?, with new: NodeID, _ transaction: ReplicaTransaction
    ) throws -> Bool {
        guard let saved, let place = try transaction.reader.node(new)?.trees.local,
            // Otherwise the provider may be told of the other name just now.
            saves.isHeld(saved) || !state.withLock({ $0.busy.contains(saved) })
        else { return false }
        do {
            let rights = rights(transaction.reader)
            try rights.requireWriting(saved)
            try rights.requireMoving(saved, to: place.parent, as: place.name, replacing: nil)
        } catch LocalError.notAllowed {
            return false
        }
        return try transaction.exchange(saved, with: new)
    }

    private func note(saved: NodeID, keeping kept: NodeID) {
        saves.note(saved: saved, keeping: kept)
        for id in [saved, kept] { remark(id) }
    }

    /// Gives a node another name or another folder.
    /// - Parameter replaces: whether who has the name gives way, as far as a file system allows it.
    /// - Returns: the node that is there now.
    @discardableResult
    package func move(
        _ id: NodeID, to parent: NodeID, as name: String, replaces: Bool
    ) async throws -> NodeID {
        var safe: Int64?
        while true {
            let (node, victim) = try replica.read {
                (try $0.node(id), try $0.child(name, of: parent)?.id)
            }
            let saved = victim == nil ? await saved(that: parent, hadAs: name) : nil
            if victim != nil || saved != nil { try await noteWritten([id, victim, saved]) }
            // Before it is renamed: the provider must not hear of it until it is clear what it is.
            if let node { saves.begin(renaming: node, to: parent, as: name) }
            let moved: Move?
            do {
                moved = try await alone(
                    id, to: parent, as: name, replaces: replaces, safe: safe, victim: victim,
                    saved: saved)
            } catch is VolatileSuccessor {
                saves.cancel(id)
                let file = try replica.read { try $0.node(id)?.file }
                try await world.aside { try await self.replica.synchronise(id) }
                safe = file
                continue
            } catch {
                saves.cancel(id)
                throw error
            }
            guard let moved else { continue }
            if moved.heir != id { saves.cancel(id) }
            if moved.isSaved { note(saved: moved.heir, keeping: id) } else { remark(moved.heir) }
            try await wake([id, moved.heir].filter(openContents.isOpen))
            return moved.heir
        }
    }

    /// - Returns: nil when somebody else has come to have the name meanwhile.
    private func alone(
        _ id: NodeID, to parent: NodeID, as name: String, replaces: Bool, safe: Int64?,
        victim: NodeID?, saved: NodeID?
    ) async throws -> Move? {
        try await openContents.alone([id] + [victim, saved].compactMap(\.self)) {
            let moved: Move? = try await replica.writeSoon { transaction in
                guard try transaction.reader.child(name, of: parent)?.id == victim else {
                    return nil
                }
                try self.rights(transaction.reader).requireMoving(
                    id, to: parent, as: name, replacing: replaces ? victim : nil)
                let heir = try transaction.move(
                    id, to: parent, as: name, replaces: replaces, safe: safe)
                guard let saved, saved != id, heir == id,
                    try self.exchange(saved, with: id, transaction)
                else { return Move(heir: heir, isSaved: false) }
                return Move(heir: saved, isSaved: true)
            }
            guard let moved else { return nil }
            if moved.isSaved {
                openContents.exchange(id, moved.heir)
            } else if moved.heir != id {
                openContents.move(id, to: moved.heir)
            } else if let victim, victim != id {
                openContents.remove(victim)
            }
            return moved
        }
    }

    /// What is about to become another node's is known by then: who has closed a file a moment ago looks for all of it under
    /// its new name.
    private func noteWritten(_ ids: [NodeID?]) async throws {
        for id in ids.compactMap(\.self) { try await openContents.current(id)?.finish(.flush) }
    }

    /// Gives each of two nodes the other one's place.
    package func exchange(
        _ one: NodeID, with other: NodeID, askedBy question: UInt64
    ) async throws {
        try await noteWritten([one, other])
        try await openContents.alone([one, other]) {
            try await replica.write { transaction in
                let (first, second) = (
                    try transaction.local(one).entry, try transaction.local(other).entry
                )
                let rights = self.rights(transaction.reader)
                try rights.requireMoving(
                    one, to: second.parent, as: second.name, replacing: nil)
                try rights.requireMoving(other, to: first.parent, as: first.name, replacing: nil)
                guard one != other else { return }
                let spare = try transaction.reader.freeName(like: first.name, in: first.parent)
                try transaction.move(one, to: first.parent, as: spare)
                try transaction.move(other, to: first.parent, as: first.name)
                try transaction.move(one, to: second.parent, as: second.name)
                try transaction.note(exchanged: one, other, askedBy: question)
            }
        }
        try await wake([one, other].filter(openContents.isOpen))
    }

    private struct Move {
        let heir: NodeID
        /// Whether the heir had the name before, and has it back.
        let isSaved: Bool
    }

    /// Who gives up a save removes what it has written, and what it has kept is the item.
    package func remove(_ id: NodeID) async throws {
        let kept = saves.kept(of: id)
        let heir = saves.item(keeping: id)
        // Room is made below.
        if kept != nil { try? await noteWritten([id, kept]) }
        let gone = try await openContents.alone([id] + [kept].compactMap(\.self)) {
            // Who removes something on a full disk makes room.
            let gone = try await replica.makeRoom { transaction in
                let isUndone = try kept.map {
                    try transaction.exchange(id, with: $0, isUndone: true)
                }
                let gone = isUndone == true ? kept ?? id : id
                try self.rights(transaction.reader).requireRemoving(gone)
                try transaction.remove(gone, keptFor: gone == id ? heir : nil)
                return gone
            }
            if gone != id { openContents.exchange(id, gone) }
            openContents.remove(gone)
            return gone
        }
        if gone != id {
            saves.cancel(id)
            remark(id)
        }
        try await wake([id, gone].filter(openContents.isOpen))
    }

    /// What a program has written may be meant for another file.
    func noteDraft(_ content: OpenContent) {
        let (id, seen) = content.state.withLock { ($0.node, $0.seen) }
        // What the provider knows is itself what is saved.
        guard seen.base == nil, seen.identifier == nil, DraftName.isLikely(seen.name) else {
            return
        }
        saves.note(draft: id)
    }
}
