import Glibc

/// Whether the program is there that mounts for people who are not root.
struct MountHelperCheck: Check {
    private static let name = "fusermount3"
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// What is found of the program.
    enum Helper {
        case missing
        case powerless(path: String)
        case usable
    }

    func findings() async -> [Finding] {
        [Self.judge(Self.find(), isRoot: geteuid() == 0)]
    }

    static func judge(_ helper: Helper, isRoot: Bool) -> Finding {
        if isRoot { return Finding("mount-helper", .fine, "Root mounts without \(name).") }
        return switch helper {
        case .usable: Finding("mount-helper", .fine, "\(name) is there and can mount.")
        case .missing:
            Finding(
                "mount-helper", .wrong, "There is no \(name), without which only root can mount.",
                remedy: "Install it: ‘sudo apt install fuse3’.")
        case .powerless(let path):
            Finding(
                "mount-helper", .wrong, "\(path) has not root's rights, and cannot mount.",
                remedy: "Install it again: ‘sudo apt install --reinstall fuse3’.")
        }
    }

    private static func find() -> Helper {
        for folder in folders {
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard stat(path, &facts) == 0, access(path, X_OK) == 0 else { continue }
            let isRoots = facts.st_uid == 0 && facts.st_mode & S_ISUID != 0
            return isRoots ? .usable : .powerless(path: path)
        }
        return .missing
    }
}
