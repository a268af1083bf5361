/// An open file of which there may be only some bytes yet, the rest being holes.
package protocol ChangeableFile: File {
    /// Cuts the file off, or lets it end in a hole.
    func resize(to size: Int64) throws(FileError)
    /// The parts of a range that are no holes. Not every file system tells; then all of it is data.
    func data(in range: Range<Int64>) throws(FileError) -> [Range<Int64>]
}
