/// Where large contents lie: immutable blobs, each written once and then named.
///
/// The calls are `async` because another store may be far away. The one on this machine's disk blocks
/// instead of suspending: call it from a task that runs where blocking is allowed.
package protocol BlobStore: Sendable {
    /// Starts a blob.
    /// - Parameter announcedSize: how much is coming, if that is known: refused at once when there is
    ///   no room for it, and kept free while the draft is open.
    func makeDraft(
        _ id: BlobID, announcedSize: Int64?
    ) async throws(BlobError) -> any BlobDraft
    func open(_ id: BlobID) throws(BlobError) -> Blob
    func facts(of id: BlobID) async throws(BlobError) -> BlobFacts
    /// What is not there is removed. Who has the blob open reads on.
    func remove(_ id: BlobID) async throws(BlobError)
    /// The sealed blobs behind that one, in the order of their names.
    func list(after id: BlobID?, limit: Int) async throws(BlobError) -> [BlobID]
    /// What may still be written, beyond the reserve and what open drafts announced.
    func availableBytes() async throws(BlobError) -> Int64
    /// Whether the disk runs full, and how much room should be made.
    func shortage() async throws(BlobError) -> DiskShortage
    /// Counts what may be written elsewhere on the same disk, or refuses it.
    func takeRoom(for bytes: Int64) async throws(BlobError)
    /// The same where that other place has room within, and grows for a while only.
    func takeReusedRoom(for bytes: Int64) async throws(BlobError)
    /// Refuses what would not fit, before any of it comes.
    func requireRoom(for bytes: Int64) async throws(BlobError)
}
