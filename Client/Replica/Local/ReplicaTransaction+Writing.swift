import BasketDatabase
import BasketSupport
import FileProvider

// What people write into files.
extension ReplicaTransaction {
    /// Where a file's bytes are to be written.
    package struct Writing: Sendable {
        package let edit: Int64
        package let file: Int64
        /// The bytes that were there have to be copied from that file first.
        package let copiesFrom: Int64?
    }

    /// Notes that a file is about to be written to. From here on its bytes are this device's own, and
    /// nothing that comes from the provider goes over them.
    ///
    /// What the provider has named, and what is being sent, is written to in a copy: after a crash in the
    /// middle, neither may hold anything else.
    /// - Parameter keepsBytes: whether what is there stays, but for what is written over.
    package func beginWriting(_ id: NodeID, keepsBytes: Bool) throws -> Writing {
        let (before, entry) = try local(id)
        guard entry.kind == .file else { throw LocalError.isAFolder }
        if keepsBytes, before.size > 0, before.residence != .whole { throw LocalError.dataless }
        if case .edit(let edit) = entry.content, let file = before.file, !before.isFrozen,
            keepsBytes
        {
            return Writing(edit: edit, file: file, copiesFrom: nil)
        }
        let writing = Writing(
            edit: try nextEdit(), file: try nextFile(),
            copiesFrom: keepsBytes && before.size > 0 ? before.file : nil)
        return writing
    }

    /// Makes what was written the file's content: its bytes are in the file by now.
    package func finish(
        _ writing: Writing, of id: NodeID, size: Int64, modified: Timestamp
    ) throws {
        let (before, _) = try local(id)
        var node = before
        node.trees.local?.content = .edit(writing.edit)
        node.trees.local?.attributes.modified = modified
        node.size = size
        node.muted.subtract([.contents, .contentModificationDate])
        if node.file != writing.file {
            if case .version(let version)? = before.trees.local?.content, let file = before.file,
                before.residence == .whole
            {
                // What is sent or fetched next has much in common with it.
                node.basis = StoredNode.Basis(file: file, version: version)
            }
            node.file = writing.file
            node.isFrozen = false
        }
        node.residence = .whole
        node.isWanted = false
        try save(node, before: before)
        try noteVolatile(writing.file)
    }
}
