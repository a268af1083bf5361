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
        let content = try await openContents.open(id, isWriter: access != .reading)
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

    func open(
        _ content: OpenContent, for access: FileAccess, by program: Program,
        made: StoredNode? = nil
    ) -> OpenFile {
        openContents.noteUse(of: content.node)
        let isWriter = access != .reading
        if isWriter, !settings.isInteractive { presence.begin(content.node) }
        return OpenFile(
            content, host: self, program: program, isWriter: isWriter,
            isMaterialising: !programs.withLock { $0.contains(program) }, made: made)
    }

    func close(_ content: OpenContent, isWriter: Bool) async throws {
        do {
            // Before it can be sent.
            if isWriter { noteDraft(content) }
            if try await openContents.close(content, isWriter: isWriter) {
                try await wake([content.node])
            }
        } catch {
            // What could not be noted is noted by whoever looks after it, soon.
            try? await wake([content.node])
            replica.changes.poke()
            throw error
        }
    }

    // MARK: The tree

    /// Everything that people do goes by it; what the host does by itself does not.
    func rights(_ reader: ReplicaReader) -> Rights {
        Rights(reader: reader, hasTrash: settings.supportsSyncingTrash)
    }

    /// Makes a folder, a symlink or an empty file.
    package func make(
        _ name: String, in parent: NodeID, kind: NodeKind, target: String? = nil,
        attributes: EntryAttributes? = nil
    ) async throws -> NodeID {
        try await replica.writeSoon { transaction in
            try self.rights(transaction.reader).requireAdding(to: parent)
            return try transaction.make(
                name, in: parent, kind: kind, target: target, attributes: attributes)
        }
    }

    /// What waited until nobody writes to it is looked at again: it was looked at before that was known.
    func wake(_ ids: [NodeID]) async throws {
        if ids.isEmpty { return }
        try await replica.writeSoon { transaction in
            for id in ids { try transaction.touch(id) }
        }
    }

    /// Changes what is said of a node.
    /// - Parameter isDated: whether its date is set, be it to what it was.
    /// - Returns: it as it is now.
    @discardableResult
    package func setAttributes(
        of id: NodeID, isDated: Bool = false,
        _ change: @escaping @Sendable (inout EntryAttributes) -> Void
    ) async throws -> StoredNode? {
        let change = { @Sendable (transaction: ReplicaTransaction) in
            let (node, fields) = try transaction.changed(id, isDated: isDated, change)
            // When it was last used, whoever may only read notes as well.
            if !fields.subtracting(.lastUsedDate).isEmpty {
                try self.rights(transaction.reader).requireChanging(id)
            }
            return node
        }
        guard let content = openContents.current(id) else {
            return try await replica.writeSoon(change)
        }
        // What was written before must not set another date afterwards, nor may it after a crash.
        return try await content.finish(isDated ? .date : .flush, with: change)
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
                await change(since: count)
                continue
            }
            try? await world.sleep(max(pause, Self.firstPause))
        }
    }
}
