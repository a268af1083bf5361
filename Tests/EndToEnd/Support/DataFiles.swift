import FoundationEssentials
import Glibc

/// The files of a data folder, as an operator sees them who looks behind the server's back.
enum DataFiles {
    static func all(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .map { "\(folder)/\($0)" }
            .filter { path in
                var facts = stat()
                return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
            }
    }

    static func size(of path: String) throws -> off_t {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Failure("no \(path): \(errno)") }
        return facts.st_size
    }

    /// Whether somebody is at writing a large file there.
    static func isBeingWritten(_ folder: String) -> Bool {
        ((try? all(in: folder + "/drafts")) ?? []).contains { ((try? size(of: $0)) ?? 0) > 0 }
    }
}
