import BasketSupport
import CLinux
import Glibc

/// A Unix socket with a name, at which others may come.
final class ListeningSocket: Sendable {
    private let path: String
    private let raw: Int32
    private let device: dev_t
    private let number: ino_t

    /// Listens from now on; who had the path before is not there any more.
    /// - Parameter waiting: how many may wait for their turn.
    init(at path: String, waiting: Int32) throws(FileError) {
        self.path = path
        guard let address = UnixAddress(path) else {
            throw FileError("listen at", path, code: ENAMETOOLONG)
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let raw = socket(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard raw >= 0 else { throw FileError("listen at", path, code: errno) }
        unlink(path)
        var facts = stat()
        // Nobody can reach it before it listens, and then only its owner.
        guard address.withPointer({ bind(raw, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            lstat(path, &facts) == 0, listen(raw, waiting) == 0
        else {
            let code = errno
            close(raw)
            throw FileError("listen at", path, code: code)
        }
        self.raw = raw
        (device, number) = (facts.st_dev, facts.st_ino)
    }

    deinit {
        close(raw)
    }

    /// Whether it is found by its path.
    var isThere: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_dev == device && facts.st_ino == number
    }

    /// - Returns: false after so many milliseconds without anybody.
    func waitForSomebody(upTo limit: Int32) -> Bool {
        var look = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        return poll(&look, 1, limit) > 0
    }

    /// Who has come; negative, with an error's number, for nobody.
    func accept() -> Int32 {
        let other = Glibc.accept(raw, nil, nil)
        if other >= 0 { _ = fcntl(other, F_SETFD, FD_CLOEXEC) }
        return other
    }

    /// Whoever waits for somebody need not wait any more.
    func shut() {
        shutdown(raw, Int32(SHUT_RDWR))
    }
}
