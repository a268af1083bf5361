/// A blob that is being written. It is nowhere to be seen until it is sealed, and gone when it is
/// forgotten before. The first error ends it: what was written then is gone too.
package protocol BlobDraft: AnyObject, Sendable {
    /// What was appended so far.
    var size: Int64 { get async }
    /// Takes the next bytes, and gives the offset of the first of them.
    @discardableResult
    func append(_ bytes: [UInt8]) async throws(BlobError) -> Int64
    /// Makes the blob durable and gives it its name. Only when this has returned may a row name it.
    @discardableResult
    func seal() async throws(BlobError) -> BlobID
    /// Ends the draft, if it has not ended yet.
    func discard() async
}
