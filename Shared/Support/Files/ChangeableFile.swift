/// An open file of which there may be only some bytes yet, the rest being holes.
package protocol ChangeableFile: File {
    /// Cuts the file off, or lets it end in a hole.
    func resize(to size: Int64) throws(FileError)
    /// Writes a range of another file at the same place here; where the disk can, the two share the bytes. What
    /// the other one has as a hole may be one here.
    /// - Returns: how far it came: less than wanted where the other file ends before that.
    func copy(_ range: Range<Int64>, from source: any File) throws(FileError) -> Int64
}

extension ChangeableFile {
    package func copy(
        _ range: Range<Int64>, from source: any File
    ) throws(FileError) -> Int64 {
        try copyBytes(range, from: source)
    }

    /// By way of memory.
    func copyBytes(_ range: Range<Int64>, from source: any File) throws(FileError) -> Int64 {
        var position = range.lowerBound
        while position < range.upperBound {
            let count = Int(min(range.upperBound - position, 1 << 20))
            let bytes = try source.read(at: position, count: count)
            if bytes.isEmpty { break }
            try write(bytes, at: position)
            position += Int64(bytes.count)
        }
        return position
    }
}
