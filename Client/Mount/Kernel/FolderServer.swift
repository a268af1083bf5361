/// Stands behind a mounted folder.
package protocol FolderServer: Sendable {
    /// Answers a question. It is asked on a thread that may wait for a disk, and for nothing else; cancelled when the
    /// program does not want to wait any more. After the death of a process, the next one may be asked once more what
    /// that one was asked.
    func answer(_ question: FuseQuestion, from caller: Caller) async -> FuseAnswer
    /// Whether whoever is asked on behalf of programs cannot be reached for now, as far as anybody knows.
    var isCutOff: Bool { get }
    /// The kernel knows a node no more, by so many of the times that it was told of it.
    func forget(_ node: UInt64, times: UInt64)
    /// A file or a folder was opened for somebody who has not waited for it.
    func abandon(_ handle: UInt64)
}
