import BasketBlobs
import BasketModels

/// Something that is not as it should be.
package enum Finding: Equatable, Sendable {
    package enum Severity: String, Sendable, CaseIterable {
        /// Something that somebody stored cannot be given back as it was, or may soon not be.
        case damage
        /// Space that nothing uses. The collection takes it back.
        case leak
        /// A number that can be worked out from others is wrong. `repair` mends it.
        case count
    }

    // The database itself.
    case database(String)
    case brokenReference(table: String, row: Int64?, to: String)

    // Contents and chunks.
    case contentIncomplete(Int64, at: Int64)
    case contentDamaged(Int64)
    case contentReferences(Int64, stored: Int64, actual: Int64)
    case contentDead(Int64, isBorne: Bool)
    case chunkDamaged(Int64, blob: BlobID)
    case chunkOutsideBlob(Int64, blob: BlobID)
    case chunkReferences(Int64, stored: Int64, actual: Int64)
    case chunkDead(Int64, isBorne: Bool)

    // Blobs.
    case blobMissing(BlobID)
    case blobSize(BlobID, stored: Int64, actual: Int64)
    case blobUnreadable(BlobID, String)
    case blobUnnamed(BlobID, size: Int64)

    // Items and versions.
    case itemContent(ItemID)
    case versionContent(Version)
    case itemParent(ItemID)
    case itemLost(ItemID)
    case itemKey(ItemID)
    case itemField(ItemID, field: String)
    case itemRank(ItemID)
    case itemCount(ItemID, of: String, stored: Int64, actual: Int64)
    case itemThumbnail(ItemID)
    /// A file whose bytes are a part of other damage.
    case fileAffected(ItemID, name: String)

    // Domains and the server.
    case domainIncomplete(Int64, missing: String)
    case domainCount(Int64, of: String, stored: Int64, actual: Int64)
    case domainPruned(Int64)
    case numbersReserved(stored: Int64, actual: Int64)
    case searchIndex(domain: Int64?, entries: Int64)

    /// Findings of one code are listed up to a limit.
    case more(code: String, count: Int, Severity)
}

extension Finding {
    /// For programs: codes are added, never renamed.
    package var code: String {
        switch self {
        case .database: "database"
        case .brokenReference: "broken_reference"
        case .contentIncomplete: "content_incomplete"
        case .contentDamaged: "content_damaged"
        case .contentReferences: "content_references"
        case .contentDead: "content_dead"
        case .chunkDamaged: "chunk_damaged"
        case .chunkOutsideBlob: "chunk_outside_blob"
        case .chunkReferences: "chunk_references"
        case .chunkDead: "chunk_dead"
        case .blobMissing: "blob_missing"
        case .blobSize: "blob_size"
        case .blobUnreadable: "blob_unreadable"
        case .blobUnnamed: "blob_unnamed"
        case .itemContent: "item_content"
        case .versionContent: "version_content"
        case .itemParent: "item_parent"
        case .itemLost: "item_lost"
        case .itemKey: "item_key"
        case .itemField: "item_field"
        case .itemRank: "item_rank"
        case .itemCount: "item_count"
        case .itemThumbnail: "item_thumbnail"
        case .fileAffected: "file_affected"
        case .domainIncomplete: "domain_incomplete"
        case .domainCount: "domain_count"
        case .domainPruned: "domain_pruned"
        case .numbersReserved: "numbers_reserved"
        case .searchIndex: "search_index"
        case .more(let code, _, _): code
        }
    }

    package var severity: Severity {
        switch self {
        case .database, .brokenReference, .contentIncomplete, .contentDamaged, .chunkDamaged,
            .chunkOutsideBlob, .blobMissing, .blobSize, .blobUnreadable, .itemContent,
            .versionContent, .itemParent, .itemLost, .itemKey, .itemField, .fileAffected,
            .domainIncomplete:
            .damage
        case .blobUnnamed: .leak
        case .contentReferences, .contentDead, .chunkReferences, .chunkDead, .itemRank, .itemCount,
            .itemThumbnail, .domainCount, .domainPruned, .numbersReserved, .searchIndex:
            .count
        case .more(_, _, let severity): severity
        }
    }

    /// For the operator.
    package var message: String {
        switch self {
        case .database(let text): "the database says: \(text)"
        case .brokenReference(let table, let row, let to):
            "row \(row.map { "\($0)" } ?? "?") of \(table) names a row of \(to) that is not there"
        case .contentIncomplete(let content, let at):
            "content \(content) has a gap at byte \(at)"
        case .contentDamaged(let content):
            "content \(content) is not what its hash says"
        case .contentReferences(let content, let stored, let actual):
            "content \(content) counts \(stored) references, and has \(actual)"
        case .contentDead(let content, let isBorne):
            Self.dead("content \(content)", isBorne)
        case .chunkDamaged(let chunk, let blob):
            "chunk \(chunk) in blob \(blob) is not what its hash says"
        case .chunkOutsideBlob(let chunk, let blob): "chunk \(chunk) reaches beyond blob \(blob)"
        case .chunkReferences(let chunk, let stored, let actual):
            "chunk \(chunk) counts \(stored) references, and has \(actual)"
        case .chunkDead(let chunk, let isBorne): Self.dead("chunk \(chunk)", isBorne)
        case .blobMissing(let blob): "blob \(blob) has no file"
        case .blobSize(let blob, let stored, let actual):
            "blob \(blob) should have \(stored) bytes, and its file has \(actual)"
        case .blobUnreadable(let blob, let reason): "blob \(blob) cannot be read: \(reason)"
        case .blobUnnamed(let blob, let size):
            "the file of blob \(blob), \(size) bytes, belongs to nothing"
        case .itemContent(let item): "item \(item) differs from its content in hash, size or domain"
        case .versionContent(let version):
            "version \(version) differs from its content in hash, size or domain"
        case .itemParent(let item): "item \(item) lies in something that is no folder of its domain"
        case .itemLost(let item): "folder \(item) cannot be reached from its domain's root"
        case .itemKey(let item): "item \(item) is not found by its name"
        case .itemField(let item, let field): "item \(item) has a \(field) that cannot be"
        case .itemRank(let item): "item \(item) has changed later than its domain"
        case .itemCount(let item, let what, let stored, let actual):
            "item \(item) counts \(stored) \(what), and has \(actual)"
        case .itemThumbnail(let item): "item \(item) is wrong about having a thumbnail"
        case .fileAffected(let item, let name): "file \(item), '\(name)', is damaged"
        case .domainIncomplete(let domain, let missing): "domain \(domain) has no \(missing)"
        case .domainCount(let domain, let what, let stored, let actual):
            "domain \(domain) counts \(stored) as \(what); it is \(actual)"
        case .domainPruned(let domain): "domain \(domain) was pruned beyond its newest change"
        case .numbersReserved(let stored, let actual):
            "number \(actual) was given, and only those up to \(stored) are reserved"
        case .searchIndex(_, let entries): "\(entries) entries of the search index are wrong"
        case .more(_, let count, _): "and \(count) more of this kind"
        }
    }

    private static func dead(_ what: String, _ isBorne: Bool) -> String {
        isBorne
            ? "\(what) counts as dead, and is in use"
            : "\(what) is in no use, and does not count as dead"
    }

    /// One object, for `--json`.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("code")
            writer.string(code)
            writer.key("severity")
            writer.string(severity.rawValue)
            writer.key("message")
            writer.string(message)
        }
    }
}
