import BasketSupport
import CLinux
import Foundation
import Glibc

/// The program that takes this one's place, in the same process: what is mounted stays so meanwhile, and is left to it.
package enum NextProgram {
    /// Where the next one finds which mounts were left: a file without a name, by its descriptor.
    private static let variable = "BASKET_LEFT_MOUNTS"
    private static let longestList = 16 << 20
    /// This very program, also where another one lies by its name.
    static let image = "/proc/self/exe"

    /// Whether another program than this one lies there, and can be started.
    static func isThere(_ program: String) -> Bool {
        guard let own = identity(of: image), let other = identity(of: program), own != other
        else { return false }
        // Half installed, it would take the mounts with it.
        let trial = try? ChildProcess(
            "/bin/sh", ["-c", "exec \"$0\" version >/dev/null 2>&1", program], link: nil)
        return trial?.wait(upTo: .seconds(10)) == 0
    }

    private struct Identity: Equatable {
        let device: UInt
        let number: UInt
        let changed: Int
    }

    private static func identity(of path: String) -> Identity? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Identity(
            device: UInt(facts.st_dev), number: UInt(facts.st_ino), changed: facts.st_ctim.tv_sec)
    }

    /// - Returns: only where it cannot be started, nor this one once more.
    package static func start(_ program: String, leaving mounts: [LeftMount]) throws -> Never {
        let list = basket_memory_file("mounts")
        guard list >= 0 else { throw FileError("make", "a list of mounts", code: errno) }
        let bytes = Array(try JSONEncoder().encode(mounts))
        guard write(list, bytes, bytes.count) == bytes.count else {
            throw FileError("write", "a list of mounts", code: errno)
        }
        for mount in mounts { _ = fcntl(mount.descriptor, F_SETFD, 0) }
        var variables = ProcessEnvironment.variables()
        variables[variable] = "\(list)"
        var words = CommandLine.arguments.map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        for image in [program, image] { execve(image, &words, &settings) }
        throw FileError("start", program, code: errno)
    }

    /// What the program before this one has left. Read once.
    package static func leftMounts() -> [LeftMount] {
        guard let list = ProcessEnvironment.variables()[variable].flatMap({ Int32($0) }) else {
            return []
        }
        unsetenv(variable)
        defer { close(list) }
        let bytes = [UInt8](unsafeUninitializedCapacity: longestList) { buffer, count in
            count = max(0, pread(list, buffer.baseAddress, longestList, 0))
        }
        let mounts = (try? JSONDecoder().decode([LeftMount].self, from: Data(bytes))) ?? []
        for mount in mounts { _ = fcntl(mount.descriptor, F_SETFD, FD_CLOEXEC) }
        return mounts
    }
}
