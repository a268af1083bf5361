import BasketSupport
import Glibc
import Testing

/// What befalls files on a disk, and what only the system tells.
enum FileDamage {
    /// Flips the bits of one byte.
    static func flip(_ path: String, at offset: Int) throws {
        let raw = open(path, O_RDWR)
        try #require(raw >= 0)
        defer { close(raw) }
        var byte: UInt8 = 0
        try #require(pread(raw, &byte, 1, offset) == 1)
        byte = ~byte
        try #require(pwrite(raw, &byte, 1, offset) == 1)
    }

    static func shorten(_ path: String, to size: Int) throws {
        try #require(truncate(path, size) == 0)
    }

    static func makePipe(_ path: String) throws {
        try LinuxFileSystem().makeFolder(LinuxFileSystem.folder(of: path))
        try #require(mkfifo(path, 0o600) == 0)
    }

    static func permissions(of path: String) -> UInt32 {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    static var process: Int32 { getpid() }
}
