import BasketSupport
import CLinux
import Glibc

/// `fusermount3`, which mounts and unmounts for everybody.
enum MountHelper {
    private static let program = "fusermount3"

    /// Returns once it has done what it was asked for.
    static func run(
        _ arguments: [String], for folder: String, variables: [String] = []
    ) throws(MountError) {
        // On the disk of nobody, and of whatever length.
        let said = basket_memory_file(program)
        // Others that are started just now have nothing to do with it.
        _ = fcntl(said, F_SETFD, FD_CLOEXEC)
        defer { if said >= 0 { close(said) } }
        let status = start(
            [program] + arguments + ["--", folder], variables: variables, errors: said)
        guard status != 0 else { return }
        let reason =
            if status == 127 {
                "\(program) is missing; it comes with the package fuse3"
            } else {
                words(in: said) ?? "\(program) has ended with \(status)"
            }
        throw .refused("\(folder): \(reason)")
    }

    /// - Returns: the program's status; 127 where it cannot be started.
    private static func start(_ words: [String], variables: [String], errors: Int32) -> Int32 {
        var arguments = words.map { strdup($0) } + [nil]
        let inherited = ProcessEnvironment.variables().map { "\($0.key)=\($0.value)" }
        var environment = (inherited + variables).map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if errors >= 0 { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        var process = pid_t()
        guard posix_spawnp(&process, words[0], &actions, nil, &arguments, &environment) == 0 else {
            return 127
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    private static let mostBytes = 1000

    /// What it has said last; nil where that was nothing.
    private static func words(in file: Int32) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, count in
            count = file < 0 ? 0 : max(0, pread(file, buffer.baseAddress, mostBytes, 0))
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init)
    }
}
