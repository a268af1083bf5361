import BasketSupport
import Glibc

/// Which of a mount's files and folders programs watch, as far as the kernel tells: it lists the watches of each open
/// inotify, and tells nobody when one is added.
struct WatchedFolders {
    /// A look at all processes takes some milliseconds: it is worth so much of the time in which things change.
    private static let shortest = Duration.milliseconds(250)
    private static let share = 20

    private let files: any FileSystem
    private let uptime: @Sendable () -> Duration
    private let device: UInt64
    private var numbers: Set<UInt64> = []
    private var validUntil = Duration.zero

    /// - Parameter device: what the kernel calls the mount.
    init(device: UInt64, world: World) {
        files = world.files
        uptime = world.uptime
        self.device = device
    }

    /// Whether somebody watches one of them.
    mutating func contains(anyOf nodes: [UInt64]) -> Bool {
        let now = uptime()
        if now >= validUntil {
            numbers = look()
            let cost = uptime() - now
            validUntil = now + max(Self.shortest, cost * Self.share)
        }
        return nodes.contains(where: numbers.contains)
    }

    private func look() -> Set<UInt64> {
        var found: Set<UInt64> = []
        for process in ((try? files.list("/proc")) ?? []) where Int32(process) != nil {
            let folder = "/proc/\(process)"
            for name in (try? files.list("\(folder)/fd")) ?? [] {
                guard (try? files.target(ofSymlink: "\(folder)/fd/\(name)")) == "anon_inode:inotify"
                else { continue }
                found.formUnion(watches(in: "\(folder)/fdinfo/\(name)"))
            }
        }
        return found
    }

    /// Lines like `inotify wd:1 ino:2a sdev:2b mask:…`.
    private func watches(in path: String) -> [UInt64] {
        guard let bytes = try? files.open(path).read(at: 0, count: 1 << 20) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("inotify ") else { return nil }
            func number(_ key: String) -> UInt64? {
                line.split(separator: " ").first { $0.hasPrefix(key) }
                    .flatMap { UInt64($0.dropFirst(key.count), radix: 16) }
            }
            return number("sdev:") == device ? number("ino:") : nil
        }
    }
}
