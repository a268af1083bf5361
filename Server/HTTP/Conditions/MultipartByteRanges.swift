/// Several parts of one content in one answer: `multipart/byteranges`.
package struct MultipartByteRanges: Sendable {
    package let contentType: String
    /// The body, with the parts' own pieces between the lines that set them apart.
    package let pieces: [HTTPPiece]

    /// - Parameters:
    ///   - boundary: must not occur in the content; a random one does not.
    ///   - type: the content's own.
    ///   - part: the pieces that hold one range of the content.
    package init(
        _ ranges: [HTTPByteRange], size: Int64, type: String, boundary: String,
        part: (HTTPByteRange) throws -> [HTTPPiece]
    ) rethrows {
        contentType = "multipart/byteranges; boundary=\(boundary)"
        var pieces: [HTTPPiece] = []
        for range in ranges {
            let head =
                "\r\n--\(boundary)\r\nContent-Type: \(type)\r\n"
                + "Content-Range: \(range.contentRange(of: size))\r\n\r\n"
            pieces.append(.bytes(Array(head.utf8)))
            pieces += try part(range)
        }
        pieces.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
        self.pieces = pieces
    }
}
