import BasketSupport

/// Why a blob could not be written, read or removed.
package enum BlobError: Error, Equatable {
    case noSuchBlob(BlobID)
    /// The bytes end before what somebody expects to find in them.
    case truncated(BlobID, size: Int64, expected: Int64)
    /// `available` is what may still be written, after the reserve and what others announced.
    case insufficientStorage(available: Int64, needed: Int64)
    /// The draft was sealed or discarded, or failed before.
    case draftEnded(BlobID)
    case alreadyExists(BlobID)
    case file(FileError)

    /// For programs: codes are added, never renamed.
    package var code: String {
        switch self {
        case .noSuchBlob: "blob_missing"
        case .truncated: "blob_truncated"
        case .insufficientStorage: "insufficient_storage"
        case .draftEnded: "blob_draft_ended"
        case .alreadyExists: "blob_exists"
        case .file: "blob_file_failed"
        }
    }

    /// For the operator.
    package var message: String {
        switch self {
        case .noSuchBlob(let id):
            "Blob \(id) is not in the store. Restore it from a backup."
        case .truncated(let id, let size, let expected):
            """
            Blob \(id) has \(size) bytes where \(expected) are expected. Restore it from a backup.
            """
        case .insufficientStorage(let available, let needed):
            """
            \(needed) bytes do not fit: the disk has room for \(max(available, 0)) beyond its reserve. \
            Free some space.
            """
        case .draftEnded(let id):
            "The draft of blob \(id) has ended already; start another one."
        case .alreadyExists(let id):
            "There is a blob \(id) already; draw another name."
        case .file(let error):
            "The disk refused: \(error)."
        }
    }
}
