import CLinux
import Glibc

extension Errand {
    /// Does it, on this thread.
    /// - Returns: 0, or the number of the error.
    package func run(on device: Int32) -> Int32 {
        switch self {
        case .tell(let words):
            words.withUnsafeBytes { Self.code(Glibc.write(device, $0.baseAddress, $0.count)) }
        case .makeFolder(let path): Self.code(mkdir(path, 0o700))
        case .makeSymlink(let path): Self.code(symlink(".", path))
        case .makeFile(let path):
            Self.closed(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        case .removeFolder(let path): Self.code(rmdir(path))
        case .removeFile(let path): Self.code(unlink(path))
        case .move(let old, let new, let number): Self.move(old, to: new, of: number)
        // No more than that: asked again after its host has died, it must change nothing.
        case .touchContent(let path):
            Self.closed(open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC))
        case .touchAttributes(let path): Self.touchAttributes(of: path)
        case .look(let path): Self.look(at: path)
        }
    }

    /// The kernel may take the name for somebody else's, whom it was told of before: what has it then must not be moved.
    private static func move(_ old: String, to new: String, of number: UInt64) -> Int32 {
        var facts = stat()
        guard lstat(old, &facts) == 0 else { return errno }
        guard facts.st_ino == number else { return ESTALE }
        return code(basket_rename_exclusively(old, new))
    }

    private static func touchAttributes(of path: String) -> Int32 {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return errno }
        // Those of a link cannot be set.
        guard facts.st_mode & S_IFMT != S_IFLNK else { return EOPNOTSUPP }
        return code(chmod(path, facts.st_mode & 0o7777))
    }

    private static func look(at path: String) -> Int32 {
        var facts = stat()
        return lstat(path, &facts) == 0 ? 0 : errno
    }

    private static func closed(_ file: Int32) -> Int32 {
        file < 0 ? errno : code(close(file))
    }

    private static func code(_ result: some BinaryInteger) -> Int32 { result < 0 ? errno : 0 }
}
