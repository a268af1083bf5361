import BasketSupport

/// What the kernel is answered.
package enum FuseReply: Sendable {
    case done
    case failed(Int32)
    case entry(FuseEntry)
    case status(FileStatus, validFor: Duration)
    case target(String)
    case opened(OpenHandle)
    case created(FuseEntry, OpenHandle)
    case bytes([UInt8])
    /// The value of an attribute, or the names of all, each ended by a zero.
    case attribute([UInt8])
    /// Bytes of a file, without a copy of them.
    case part(any File, at: Int64, count: Int)
    case written(Int)
    case position(Int64)
    case listing(FuseListing)
    case statistics(VolumeStatistics)
}
