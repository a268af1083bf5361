import Glibc

/// The disk, as Basket uses it: a simulation replaces it with one that fails, fills up and forgets
/// what was not synchronised. All calls are synchronous; who calls them decides on which thread.
package protocol FileSystem: Sendable {
    /// Makes a new, empty file for reading and writing; it must not exist. Its mode is 0600.
    func create(_ path: String) throws(FileError) -> any File
    /// Opens an existing file for reading.
    func open(_ path: String) throws(FileError) -> any File
    /// Opens an existing file for reading and writing.
    func openToChange(_ path: String) throws(FileError) -> any ChangeableFile
    /// Gives a file another name, replacing what had it. Both must lie on one file system.
    func rename(_ path: String, to target: String) throws(FileError)
    /// Gives a file a second name, which must not exist, on the same file system. Not every file system
    /// can.
    func link(_ path: String, to target: String) throws(FileError)
    func remove(_ path: String) throws(FileError)
    /// Removes a folder that is empty, and never anything else.
    func removeFolder(_ path: String) throws(FileError)
    /// Makes a folder of mode 0700, and those above it that are missing.
    func makeFolder(_ path: String) throws(FileError)
    /// The names in a folder, sorted.
    func list(_ path: String) throws(FileError) -> [String]
    func size(_ path: String) throws(FileError) -> Int64
    /// When the file's content was last written.
    func modified(_ path: String) throws(FileError) -> Timestamp
    func exists(_ path: String) -> Bool
    /// What was written at a file, besides what is in it; nil for nothing.
    func note(at path: String) throws(FileError) -> [UInt8]?
    /// Writes something at a file, a few kilobytes at most, or takes it away again. Not every file system can.
    func setNote(_ note: [UInt8]?, at path: String) throws(FileError)
    /// Makes the names in a folder durable; until then a crash may undo a create, rename or remove.
    func synchronizeFolder(_ path: String) throws(FileError)
    /// Looks after the disk that holds `path` from now on: what is lost of it before, nobody tells.
    func openDisk(holding path: String) throws(FileError) -> any Disk
    /// What may still be written below `path`.
    func availableBytes(at path: String) throws(FileError) -> Int64
    /// What the disk below `path` holds in all, used or not.
    func totalBytes(at path: String) throws(FileError) -> Int64

    /// Whether anybody is known to have a file open to write to it.
    func isWritten(_ path: String) throws(FileError) -> Bool

    // Trees of other people's. No symlink is followed.

    func facts(of path: String) throws(FileError) -> FileFacts
    /// The owner's and others' rights; a symlink has none.
    func setMode(_ mode: UInt16, at path: String) throws(FileError)
    func setModified(_ modified: Timestamp, at path: String) throws(FileError)
    /// Gives something another name that nobody has: one that exists is an error.
    func renameExclusively(_ path: String, to target: String) throws(FileError)
    func makeSymlink(to target: String, at path: String) throws(FileError)
    func target(ofSymlink path: String) throws(FileError) -> String
    /// What people have written at it: the attributes whose names begin with `user.`.
    func attributes(of path: String) throws(FileError) -> [String: [UInt8]]
    /// Sets one of them, or takes it away. Not every file system can.
    func setAttribute(_ name: String, _ value: [UInt8]?, at path: String) throws(FileError)
    /// Reads a folder's names in parts, however many there are.
    func openFolder(_ path: String) throws(FileError) -> any FolderNames
}

extension FileSystem {
    package func openToChange(_ path: String) throws(FileError) -> any ChangeableFile {
        throw FileError("open", path, code: EOPNOTSUPP)
    }

    package func isWritten(_ path: String) throws(FileError) -> Bool { false }

    package func note(at path: String) throws(FileError) -> [UInt8]? { nil }

    package func setNote(_ note: [UInt8]?, at path: String) throws(FileError) {
        throw FileError("write at", path, code: EOPNOTSUPP)
    }

    package func link(_ path: String, to target: String) throws(FileError) {
        throw FileError("link", path, code: EOPNOTSUPP)
    }

    /// A whole small file, such as a certificate or a configuration.
    package func contents(of path: String) throws(FileError) -> [UInt8] {
        let file = try open(path)
        return try file.read(at: 0, count: Int(file.size()))
    }

    /// Replaces a small file as a whole: after a crash there is the old content or the new one.
    package func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let draft = path + ".new"
        if exists(draft) { try remove(draft) }
        let file = try create(draft)
        try file.write(bytes, at: 0)
        try file.synchronize()
        try rename(draft, to: path)
        try synchronizeFolder(Self.folder(of: path))
    }

    /// The path without its last component.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
