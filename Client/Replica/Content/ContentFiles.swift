import BasketSupport
import Glibc

/// The bytes of contents that are here: each in a file of its own, by a number that is never given twice.
package struct ContentFiles: Sendable {
    package let folder: String
    private let files: any FileSystem
    private let disk: any Disk
    private let holds = ContentHolds()

    init(folder: String, world: World) throws(FileError) {
        self.folder = folder
        files = world.files
        if !files.exists(folder) {
            try files.makeFolder(folder)
            // What is durable below it would go with it.
            try files.synchronizeFolder(LinuxFileSystem.folder(of: folder))
        }
        disk = try files.openDisk(holding: folder)
    }

    /// So many folders keep any of them short.
    static let folders: Int64 = 200

    package func path(_ number: Int64) -> String {
        "\(self.folder(of: number))/\(number)"
    }

    /// A file without bytes, for what was never written to.
    package func emptyFile() throws(FileError) -> String {
        let path = folder + "/empty"
        if !files.exists(path) { _ = try files.create(path) }
        return path
    }

    func folder(of number: Int64) -> String {
        "\(folder)/\(number % Self.folders)"
    }

    /// The numbers of the files in one of the folders.
    func numbers(inFolder part: Int64) throws(FileError) -> [Int64] {
        do {
            return try files.list("\(folder)/\(part)").compactMap { Int64($0) }
        } catch  where error.isMissing {
            return []
        }
    }

    func synchronise() throws(FileError) {
        try disk.synchronize()
    }

    /// Makes the bytes of one file durable, and that it is there: a name is the folder's to keep.
    func synchronise(_ number: Int64) throws(FileError) {
        try open(number).synchronize()
        try synchroniseName(of: number)
    }

    /// The same of the name alone.
    package func synchroniseName(of number: Int64) throws(FileError) {
        for holder in [folder(of: number), folder] { try files.synchronizeFolder(holder) }
    }

    package func create(_ number: Int64) throws(FileError) -> any File {
        let path = path(number)
        // What a crash left under a number that was never committed is nobody's.
        if files.exists(path) { try files.remove(path) }
        do {
            return try files.create(path)
        } catch  where error.isMissing {
            try files.makeFolder(folder(of: number))
            return try files.create(path)
        }
    }

    package func openToChange(_ number: Int64) throws(FileError) -> any ChangeableFile {
        try files.openToChange(path(number))
    }

    package func open(_ number: Int64) throws(FileError) -> any File {
        try files.open(path(number))
    }

    /// Keeps a file where it is. One that a node names is held in the transaction that reads the name; or it is
    /// looked afterwards whether the file is there.
    package func hold(_ number: Int64) -> ContentHold {
        holds.add(number)
        return ContentHold(number, holds)
    }

    package func exists(_ number: Int64) -> Bool {
        files.exists(path(number))
    }

    /// For who throws something away where it is not.
    package func isThere(_ number: Int64) throws(FileError) -> Bool {
        try files.factsIfAny(of: path(number)) != nil
    }

    /// What is not there is removed.
    /// - Returns: false when somebody holds it.
    @discardableResult
    package func remove(_ number: Int64) throws(FileError) -> Bool {
        try holds.unlessHeld(number) { () throws(FileError) in
            do throws(FileError) {
                try files.remove(path(number))
            } catch  where error.isMissing {
                return
            }
        }
    }

    /// Notes at a file whose bytes only this device has what they are, for the day on which nothing else is left.
    package func set(_ mark: ContentMark?, at number: Int64) throws(FileError) {
        do throws(FileError) {
            try files.setNote(mark?.bytes, at: path(number))
        } catch  where error.isUnsupported {
            // They come back without their name, then.
        }
    }

    /// What is noted at a file; nil for nothing. What nobody can read any more is something, too.
    func mark(at number: Int64) throws(FileError) -> ContentMark? {
        try files.note(at: path(number)).map { note in
            ContentMark(bytes: note) ?? .unknown(number)
        }
    }

    /// Whether this disk keeps what is noted at files.
    func keepsNotes() throws(FileError) -> Bool {
        let path = folder + "/notes"
        if !files.exists(path) { _ = try files.create(path) }
        do throws(FileError) {
            try files.setNote([1], at: path)
            return true
        } catch  where error.isUnsupported {
            return false
        }
    }

    /// Takes over a file that somebody else made on the same disk.
    package func adopt(_ path: String, as number: Int64) throws(FileError) {
        let target = self.path(number)
        do {
            try files.rename(path, to: target)
        } catch  where error.isMissing && files.exists(path) {
            try files.makeFolder(folder(of: number))
            try files.rename(path, to: target)
        }
    }

    /// The same bytes under another number.
    package func copy(_ number: Int64, to other: Int64) throws(FileError) {
        let source = try open(number)
        _ = try create(other)
        let target = try openToChange(other)
        let size = try source.size()
        for part in try source.data(in: 0..<size) { _ = try target.copy(part, from: source) }
        try target.resize(to: size)
    }
}
