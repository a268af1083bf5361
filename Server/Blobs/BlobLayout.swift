/// Which file is which blob's.
struct BlobLayout: Sendable {
    let blobs: String
    let drafts: String

    init(folder: String) {
        blobs = "\(folder)/blobs"
        drafts = "\(folder)/drafts"
    }

    func path(of id: BlobID) -> String {
        "\(folder(of: id))/\(id.text)"
    }

    func folder(of id: BlobID) -> String {
        "\(blobs)/\(Self.fan(id))"
    }

    func draft(of id: BlobID) -> String {
        "\(drafts)/\(id.text)"
    }

    /// 512 folders: a million blobs are 2,000 in each, and the folders in their order hold the blobs
    /// in theirs.
    static func fan(_ id: BlobID) -> String {
        String(id.text.prefix(2))
    }
}
