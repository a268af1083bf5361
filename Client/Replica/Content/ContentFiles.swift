import BasketSupport
import Glibc

/// The bytes of contents that are here: each in a file of its own, by a number that is never given twice.
package struct ContentFiles: Sendable {
    private let folder: String
    private let files: any FileSystem

    private static let copyLength = 1 << 20

    init(folder: String, world: World) throws(FileError) {
        self.folder = folder
        files = world.files
        try files.makeFolder(folder)
    }

    /// Two hundred folders keep any of them short.
    package func path(_ number: Int64) -> String {
        "\(folder)/\(number % 200)/\(number)"
    }

    package func create(_ number: Int64) throws(FileError) -> any File {
        let path = path(number)
        // What a crash left under a number that was never committed is nobody's.
        if files.exists(path) { try files.remove(path) }
        do {
            return try files.create(path)
        } catch  where error.isMissing {
            try files.makeFolder("\(folder)/\(number % 200)")
            return try files.create(path)
        }
    }

    package func open(_ number: Int64) throws(FileError) -> any File {
        try files.open(path(number))
    }

    /// What is not there is removed.
    package func remove(_ number: Int64) throws(FileError) {
        do {
            try files.remove(path(number))
        } catch  where error.isMissing {
            return
        }
    }

    /// Takes over a file that somebody else made on the same disk.
    package func adopt(_ path: String, as number: Int64) throws(FileError) {
        let target = self.path(number)
        do {
            try files.rename(path, to: target)
        } catch  where error.isMissing && files.exists(path) {
            try files.makeFolder("\(folder)/\(number % 200)")
            try files.rename(path, to: target)
        }
    }

    /// The same bytes under another number.
    package func copy(_ number: Int64, to other: Int64) throws(FileError) {
        let source = try open(number)
        let target = try create(other)
        var position: Int64 = 0
        while true {
            let bytes = try source.read(at: position, count: Self.copyLength)
            if bytes.isEmpty { return }
            try target.write(bytes, at: position)
            position += Int64(bytes.count)
        }
    }
}
