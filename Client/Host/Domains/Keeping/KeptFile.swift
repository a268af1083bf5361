import BasketSupport
import FileProviderReplica
import Glibc

/// Gives the bytes of a content file a name that people know.
struct KeptFile {
    let replica: Replica
    let files: any FileSystem

    /// The same bytes under a second name where nobody else needs them for itself, else a copy.
    func keep(_ file: Int64, at path: String) throws {
        let isOnlyOne = try replica.read { try $0.holders(of: file) } <= 1
        guard isOnlyOne, isSafe(file), try link(file, to: path) else {
            return try files.copyFile(replica.contents.path(file), to: path)
        }
    }

    /// What the disk has refused once is in memory at best: a copy is written anew.
    private func isSafe(_ file: Int64) -> Bool {
        (try? replica.requireTrust(in: file)) != nil
    }

    /// - Returns: false where the two cannot be one file.
    private func link(_ file: Int64, to path: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try files.link(replica.contents.path(file), to: path)
            return true
        } catch  where [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(error.code) {
            return false
        }
    }
}
