import BasketSupport
import FileProviderReplica
import Synchronization

// Files that are made, and names that are given: by both, programs save.
extension DomainHost {
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
                let second = try await secondContent(of: id, for: victim)
                defer { if let second { replica.discardUnlessNamed(second) } }
                let outcome: Move? = try await replica.write { transaction in
                    // Somebody may have come to have the name meanwhile.
                    guard try transaction.reader.child(name, of: parent)?.id == victim else {
                        return nil
                    }
                    try self.rights(transaction.reader).requireMoving(
                        id, to: parent, as: name, replacing: replaces ? victim : nil)
                    let left = try transaction.reader.node(id)
                    let heir = try transaction.move(
                        id, to: parent, as: name, replaces: replaces, second: second)
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

    /// A program that saves by way of another file may have it sent before it gives it the name. The provider goes on
    /// reading its bytes then, and so they get a second number.
    private func secondContent(of id: NodeID, for victim: NodeID?) async throws -> Int64? {
        guard let victim else { return nil }
        let file = try replica.read { reader -> Int64? in
            guard let draft = try reader.node(id), draft.isUnanswered,
                try reader.node(victim)?.isSaved(by: draft, at: world.now()) == true
            else { return nil }
            return draft.file
        }
        guard let file else { return nil }
        let second = try await replica.write { try $0.nextFile() }
        do {
            try replica.contents.share(file, as: second)
            return second
        } catch {
            // Not every disk can do that. It is another item's then.
            world.log.warning("a file is not saved as before", ["error": .text("\(error)")])
            return nil
        }
    }

    private struct Move {
        let left: StoredNode?
        let heir: NodeID
        /// Whether the heir had the name before, and has it back.
        let isSaved: Bool
    }
}
