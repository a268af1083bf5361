import FileProviderReplica

/// Which content the kernel may have bytes of: as much of it as tells it from any other. A hundred thousand of them are kept,
/// and a version is some tens of bytes in a place of its own.
struct ContentPrint: Equatable, Sendable {
    let isEdit: Bool
    /// That two contents of one file have the same does not happen.
    private let hash: Int

    init(_ content: EntryContent) {
        isEdit = content.isEdit
        hash = content.hashValue
    }
}
