import BasketBlobs
import BasketStore

// The store knows blobs by their numbers, because it must not know where they lie.

extension BlobPlace {
    init(blob: BlobID, position: Int64) {
        self.init(blob: Int64(bitPattern: blob.rawValue), position: position)
    }

    var blobID: BlobID { BlobID(rawValue: UInt64(bitPattern: blob)) }
}

extension StagedBlob {
    init(_ blob: BlobID, size: Int64) {
        self.init(number: Int64(bitPattern: blob.rawValue), size: size)
    }

    var id: BlobID { BlobID(rawValue: UInt64(bitPattern: number)) }
}
