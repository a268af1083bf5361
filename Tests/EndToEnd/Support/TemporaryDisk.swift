import BasketSupport
import Glibc

/// A small disk in memory that can be filled; it goes away with the object.
final class TemporaryDisk: Sendable {
    /// Whether this process may make one: probed, because a container's root often may not.
    static let isPossible = (try? TemporaryDisk(mebibytes: 1)) != nil

    private let folder: TemporaryFolder
    /// What somebody else fills the disk with.
    private let filling: String
    /// Where to put things.
    let path: String

    init(mebibytes: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/disk"
        filling = path + "/filling"
        mkdir(path, 0o700)
        let mount = try Self.run(
            "mount", ["-t", "tmpfs", "-o", "size=\(mebibytes)m", "tmpfs", path])
        guard mount == .exit(0) else { throw Failure("no tmpfs can be mounted") }
    }

    deinit {
        // Lazily: who still has a file open there must not keep it for ever.
        _ = try? Self.run("umount", ["-l", path])
    }

    var freeBytes: Int {
        get throws { Int(try LinuxFileSystem().availableBytes(at: path)) }
    }

    /// Takes all that is left but so many bytes.
    func fill(leaving rest: Int = 0) throws {
        let descriptor = open(filling, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(filling): \(errno)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 64 << 10)
        while true {
            let left = try freeBytes - rest
            let count = write(descriptor, block, max(0, min(left, block.count)))
            if count <= 0 { return }
        }
    }

    /// Gives back what was taken.
    func empty() {
        unlink(filling)
    }

    private static func run(_ command: String, _ arguments: [String]) throws -> ChildProcess.Ending?
    {
        let process = try ChildProcess("/usr/bin/env", [command] + arguments)
        return process.wait()
    }
}
