import BasketBlobs

// The store knows blobs by their numbers, because it must not know where they lie.
extension BlobID {
    init(number: Int64) {
        self.init(rawValue: UInt64(bitPattern: number))
    }

    var number: Int64 { Int64(bitPattern: rawValue) }
}
