/// What the kernel asks of whoever stands behind a folder. Nodes and handles are the numbers that it was given for them.
package enum FuseQuestion: Sendable {
    case lookUp(String, in: UInt64)
    case status(of: UInt64, handle: UInt64?)
    case setStatus(of: UInt64, StatusChange, handle: UInt64?)
    case target(of: UInt64)

    case makeFolder(String, in: UInt64, mode: UInt32)
    case makeNode(String, in: UInt64, mode: UInt32, device: UInt64)
    case makeSymlink(String, in: UInt64, target: String)
    case makeLink(String, in: UInt64, to: UInt64)
    case remove(String, in: UInt64)
    case removeFolder(String, in: UInt64)
    case rename(String, in: UInt64, to: String, into: UInt64, RenameMode)

    case open(UInt64, OpenMode)
    case create(String, in: UInt64, mode: UInt32, OpenMode)
    case read(UInt64, handle: UInt64, at: Int64, count: Int)
    /// - Parameter appends: whether they go behind the end, wherever that is: the kernel may not know.
    case write(UInt64, handle: UInt64, at: Int64, [UInt8], appends: Bool)
    case release(UInt64, handle: UInt64)
    case synchronise(UInt64, handle: UInt64)
    case allocate(UInt64, handle: UInt64, Range<Int64>, mode: Int32)
    case seek(UInt64, handle: UInt64, from: Int64, forHole: Bool)

    case openFolder(UInt64)
    /// - Parameter after: the number that the entry before it was listed with; 0 for the first.
    case list(UInt64, handle: UInt64, after: Int64, capacity: Int, withStatus: Bool)
    case releaseFolder(UInt64, handle: UInt64)
    case synchroniseFolder(UInt64)

    case statistics(of: UInt64)
    case attribute(String, of: UInt64)
    case attributes(of: UInt64)
    case setAttribute(String, [UInt8], of: UInt64, AttributeMode)
    case removeAttribute(String, of: UInt64)
}
