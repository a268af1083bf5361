/// An open file. It closes itself when nobody holds it any more.
package protocol File: AnyObject, Sendable {
    /// Reads up to `count` bytes; fewer only at the end of the file.
    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8]
    /// Writes all the bytes at the offset.
    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError)
    /// Makes the content durable.
    func synchronize() throws(FileError)
    func size() throws(FileError) -> Int64
    /// The kernel's number for the file where there is one, for `sendfile`.
    var descriptor: Int32? { get }
    /// The parts of a range that are no holes. Not every file system tells; then all of it is data.
    func data(in range: Range<Int64>) throws(FileError) -> [Range<Int64>]
}

extension File {
    package func data(in range: Range<Int64>) throws(FileError) -> [Range<Int64>] { [range] }
}
