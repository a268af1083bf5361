/// A disk, for who has to know that it has taken everything. Linux tells once to each who has it open that something was
/// lost: who opens it only to ask may come after that was told to somebody else.
package protocol Disk: Sendable {
    /// Makes everything durable that was written to it, by whomever.
    func synchronize() throws(FileError)
}
