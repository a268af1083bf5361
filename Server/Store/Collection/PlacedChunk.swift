import BasketContent
import BasketDatabase

/// A chunk's row, with the place where its bytes are.
package struct PlacedChunk: Sendable, Equatable {
    package let id: Int64
    package let hash: ContentHash
    package let length: Int
    package let place: BlobPlace

    init(_ row: borrowing Row) throws(SQLiteError) {
        id = try row[0]
        hash = try row[1]
        length = try row[2]
        place = BlobPlace(blob: try row[3], position: try row[4])
    }

    static let columns = "chunk.id, chunk.hash, chunk.length, chunk.blob, chunk.position"
}
