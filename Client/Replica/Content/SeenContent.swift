import FileProvider

/// A file's content, as whoever opened the file has seen it.
package struct SeenContent: Sendable, Equatable {
    package var content: EntryContent
    /// What of the provider's it is, or was made of.
    package var base: EntryContent?
    /// By what name the provider knows it, if it does.
    package var identifier: NSFileProviderItemIdentifier?
    /// The file that holds its bytes, or some of them.
    package var file: Int64?
    package var size: Int64
    package var isWhole: Bool
    /// Where it was.
    package var parent: NodeID
    package var name: String

    package init?(_ node: StoredNode) {
        guard let local = node.trees.local, local.kind == .file else { return nil }
        content = local.content
        base = local.content.isEdit ? node.trees.synced?.content : local.content
        identifier = node.identifier
        file = node.file
        size = node.size
        isWhole = node.residence == .whole
        parent = local.parent
        name = local.name
    }

    /// Whether both are the same bytes, by whatever name.
    package func isSame(as other: SeenContent) -> Bool {
        content == other.content || (file != nil && file == other.file && isWhole && other.isWhole)
            || (isWithoutBytes && other.isWithoutBytes)
    }

    /// What was made without bytes may have got the provider's name since. Into a file of its own, somebody may be writing.
    private var isWithoutBytes: Bool { size == 0 && (file == nil || !content.isEdit) }
}

extension ReplicaReader {
    /// What somebody sees who opens a file now; nil where there is none.
    package func content(of id: NodeID) throws -> SeenContent? {
        try node(id).flatMap(SeenContent.init)
    }
}
