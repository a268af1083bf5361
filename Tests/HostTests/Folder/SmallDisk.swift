import BasketSupport
import Foundation
import Glibc

/// A disk in memory that can be filled; it goes away with the object.
final class SmallDisk: Sendable {
    /// Whether this process may make one: probed, because a container's root often may not.
    static let isPossible = (try? SmallDisk(mebibytes: 1)) != nil

    let path = FileManager.default.temporaryDirectory.path + "/basket-disk-\(UUID().uuidString)"
    private var filling: String { path + "/filling" }

    init(mebibytes: Int) throws {
        try LinuxFileSystem().makeFolder(path)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(mebibytes)m") == 0 else {
            rmdir(path)
            throw POSIXError(.EPERM)
        }
    }

    deinit {
        // Lazily: who still has a file open there must not keep it for ever.
        umount2(path, CInt(MNT_DETACH))
        rmdir(path)
    }

    /// Takes all that is left.
    func fill() throws {
        let descriptor = open(filling, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        defer { close(descriptor) }
        for size in [64 << 10, 4 << 10, 1] {
            let block = [UInt8](repeating: 1, count: size)
            while write(descriptor, block, size) == size {}
        }
    }

    func empty() throws {
        try LinuxFileSystem().remove(filling)
    }
}
