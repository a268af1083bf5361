import Glibc

/// A file operation that the system refused: what, on which path, and why.
package struct FileError: Error, Equatable, CustomStringConvertible {
    package let operation: String
    package let path: String
    package let code: Int32

    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    package var isMissing: Bool { code == ENOENT }
    /// Somebody else's, or not for writing.
    package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// No room: a full disk, a file system's quota, or a limit on the size of files.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether nothing else will go better: it concerns not what is at the path alone.
    package var isOfTheDisk: Bool { isOutOfSpace || code == EIO }

    /// The disk has not taken what was written, and has forgotten that: it says so once.
    package var isLostWrite: Bool { operation.hasPrefix("synchronise") && isOfTheDisk }

    /// Not on this file system, or not so much of it.
    package var isUnsupported: Bool { [EOPNOTSUPP, E2BIG, ERANGE, ENOSYS].contains(code) }

    package var description: String {
        "cannot \(operation) \(path): \(String(cString: strerror(code)))"
    }
}
