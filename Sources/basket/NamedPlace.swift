import FileProviderDaemon
import Glibc

/// A path that a person has written, as a place in a domain.
struct NamedPlace {
    let domain: HostedDomainState
    /// From the domain's root down, without a slash at either end.
    let path: String

    /// Nil where it lies in none of the domains.
    init?(_ text: String, among domains: [HostedDomainState]) {
        let whole = Self.whole(text)
        // Whoever holds the folder may not answer: only what does not say by itself where it lies is looked up.
        for path in [{ whole }, { Self.byWayOfLinks(whole) }, { Self.resolved(whole) }] {
            guard let path = path() else { continue }
            for domain in domains {
                guard let folder = domain.folder else { continue }
                // Whoever stands in it by way of a link is told the other name of it.
                for folder in [{ folder }, { Self.byWayOfLinks(folder) }] {
                    guard let folder = folder(), let inside = Self.rest(of: path, in: folder)
                    else { continue }
                    self.domain = domain
                    self.path = inside
                    return
                }
            }
        }
        return nil
    }

    /// By way of a symlink, perhaps. What it names itself may be one, and need not be there.
    private static func byWayOfLinks(_ path: String) -> String? {
        let (folder, name) = split(path)
        return resolved(folder).map { $0 == "/" ? "/" + name : "\($0)/\(name)" }
    }

    // Paths are bytes. As text, a mark at a name's beginning would make another character of the slash before it, and
    // names in two spellings would be one.

    /// What follows the folder, and the slash behind it; nil where the path lies elsewhere.
    private static func rest(of path: String, in folder: String) -> String? {
        let (path, folder) = (path.utf8, folder.utf8)
        guard path.starts(with: folder) else { return nil }
        let rest = path.dropFirst(folder.count)
        guard let next = rest.first else { return "" }
        return next == UInt8(ascii: "/") ? String(decoding: rest.dropFirst(), as: UTF8.self) : nil
    }

    /// From the root, without `.` and `..`: nothing is asked of any file system.
    static func whole(_ text: String) -> String {
        var parts: [String] = []
        let isWhole = text.utf8.first == UInt8(ascii: "/")
        let start = isWhole ? text : currentFolder + "/" + text
        for part in start.utf8.split(separator: UInt8(ascii: "/")) {
            switch String(decoding: part, as: UTF8.self) {
            case ".": break
            case "..": _ = parts.popLast()
            case let name: parts.append(name)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static var currentFolder: String {
        guard let raw = getcwd(nil, 0) else { return "" }
        defer { free(raw) }
        return String(cString: raw)
    }

    private static func split(_ path: String) -> (String, String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("/", path) }
        let folder = String(decoding: path.utf8[..<slash], as: UTF8.self)
        let name = String(decoding: path.utf8[slash...].dropFirst(), as: UTF8.self)
        return (folder.isEmpty ? "/" : folder, name)
    }

    private static func resolved(_ path: String) -> String? {
        guard let raw = realpath(path, nil) else { return nil }
        defer { free(raw) }
        return String(cString: raw)
    }
}
