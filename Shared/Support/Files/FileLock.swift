import Glibc

/// Holds a file against other processes that ask for it, until it is let go or the process ends,
/// however it ends.
package final class FileLock: Sendable {
    /// Who holds the lock that somebody else wanted.
    package struct Held: Error, Equatable, Sendable {
        package let path: String
        /// As the holder wrote it down; nil when it has not got to that.
        package let process: Int32?
    }

    private let raw: CInt

    private init(raw: CInt) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// Takes the lock, making the file where it is missing. The file stays: removing it would let
    /// two processes hold two files of one name.
    /// - Throws: `Held` when another process has it, or this one by another object; else `FileError`.
    package static func take(_ path: String) throws -> FileLock {
        let raw = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw FileError("open", path, code: errno) }
        let lock = FileLock(raw: raw)
        while flock(raw, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw Held(path: path, process: lock.process())
            case let code: throw FileError("lock", path, code: code)
            }
        }
        try lock.write(getpid(), path)
        return lock
    }

    /// Holds a file or a folder together with all others who only share it, for who asks with `isHeld`.
    package static func share(_ path: String) throws(FileError) -> FileLock {
        let raw = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw FileError("open", path, code: errno) }
        let lock = FileLock(raw: raw)
        // Waits for nobody but `isHeld`, which keeps it for an instant.
        while flock(raw, LOCK_SH) != 0 {
            guard errno == EINTR else { throw FileError("lock", path, code: errno) }
        }
        return lock
    }

    /// Whether anybody holds or shares the file or folder now.
    package static func isHeld(_ path: String) -> Bool {
        let raw = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return false }
        defer { close(raw) }
        return flock(raw, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private func process() -> Int32? {
        let text = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = max(0, pread(raw, buffer.baseAddress, 16, 0))
        }
        return Int32(String(decoding: text, as: UTF8.self).filter(\.isNumber))
    }

    private func write(_ process: pid_t, _ path: String) throws(FileError) {
        let text = Array("\(process)\n".utf8)
        let written = text.withUnsafeBytes { pwrite(raw, $0.baseAddress, $0.count, 0) }
        guard written == text.count, ftruncate(raw, off_t(text.count)) == 0 else {
            throw FileError("write", path, code: errno)
        }
    }
}
