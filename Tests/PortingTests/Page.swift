import FileProvider

/// A page or a section of a notebook, as its server keeps it.
struct Page {
    var identifier: String
    var parent: String
    var name: String
    var isSection: Bool
    var text: Data
    var contentRevision: Int
    var metadataRevision: Int
    var tags: Data?
    var modified: Date
    var change: Int
}
