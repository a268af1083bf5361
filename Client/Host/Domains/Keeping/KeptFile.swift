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
        guard isOnlyOne, try link(file, to: path) else { return try copy(file, to: path) }
        // What was noted at it is told by its place now.
        try replica.contents.set(nil, at: file)
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

    private func copy(_ file: Int64, to path: String) throws {
        let source = try replica.contents.open(file)
        let size = try source.size()
        _ = try files.create(path)
        let target = try files.openToChange(path)
        for part in try source.data(in: 0..<size) {
            guard try target.copy(part, from: source) == part.upperBound else {
                throw FileError("copy to", path, code: EIO)
            }
        }
        try target.resize(to: size)
        guard try target.size() == source.size() else {
            throw FileError("copy to", path, code: EIO)
        }
    }
}

extension FileSystem {
    /// That name in a folder, or the first like it that nothing has.
    func freePath(for name: String, in folder: String) throws(FileError) -> String {
        var path = "\(folder)/\(name)"
        let names = BouncedName(name)
        var index = 0
        while try factsIfAny(of: path) != nil {
            path = "\(folder)/\(names.candidate(index))"
            index += 1
        }
        return path
    }
}
