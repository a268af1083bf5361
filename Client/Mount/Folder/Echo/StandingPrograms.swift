import BasketSupport

/// Where programs stand in a mount, as far as the kernel tells. It can tell a program that only for as long as it knows the
/// names on the way there.
struct StandingPrograms {
    /// Each by the names that lead to it, below the mount's folder.
    let paths: Set<[String]>

    /// - Parameter folder: where the mount is.
    init(in folder: String, files: any FileSystem) {
        var paths: Set<[String]> = []
        for process in (try? files.list("/proc")) ?? [] where Int32(process) != nil {
            guard let path = try? files.target(ofSymlink: "/proc/\(process)/cwd"),
                path.hasPrefix(folder + "/")
            else { continue }
            paths.insert(path.dropFirst(folder.count + 1).split(separator: "/").map(String.init))
        }
        self.paths = paths
    }
}
