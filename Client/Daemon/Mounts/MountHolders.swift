import BasketSupport
import Glibc

/// Who keeps a folder from being unmounted: programs that have something in it open, work in it, or run from it. Only
/// names are looked at: what is behind them may be a folder for which nobody answers any more.
enum MountHolders {
    struct Holder: Sendable, Equatable {
        let process: Int32
        let name: String
        /// The first thing found, as a path.
        let path: String
    }

    private static let most = 20

    static func find(in folder: String, _ files: any FileSystem) -> [Holder] {
        let processes = ((try? files.list("/proc")) ?? []).compactMap { Int32($0) }
        var found: [Holder] = []
        for process in processes.sorted() where process != getpid() {
            guard let path = firstPath(of: process, in: folder, files) else { continue }
            found.append(Holder(process: process, name: name(of: process, files), path: path))
            if found.count == most { break }
        }
        return found
    }

    private static func firstPath(
        of process: Int32, in folder: String, _ files: any FileSystem
    ) -> String? {
        func isInside(_ path: String) -> Bool { path == folder || path.hasPrefix(folder + "/") }
        let home = "/proc/\(process)"
        for place in ["cwd", "root", "exe"] {
            if let path = try? files.target(ofSymlink: "\(home)/\(place)"), isInside(path) {
                return path
            }
        }
        for name in (try? files.list("\(home)/fd")) ?? [] {
            if let path = try? files.target(ofSymlink: "\(home)/fd/\(name)"), isInside(path) {
                return path
            }
        }
        for name in (try? files.list("\(home)/map_files")) ?? [] {
            if let path = try? files.target(ofSymlink: "\(home)/map_files/\(name)"), isInside(path)
            {
                return path
            }
        }
        return nil
    }

    private static func name(of process: Int32, _ files: any FileSystem) -> String {
        guard let bytes = try? files.open("/proc/\(process)/comm").read(at: 0, count: 64) else {
            return "?"
        }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
