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
        // By way of a symlink, perhaps. What it names itself may be one, and need not be there.
        let (folder, name) = Self.split(whole)
        let resolved = Self.resolved(folder).map { $0 == "/" ? "/" + name : "\($0)/\(name)" }
        for path in [whole, resolved, Self.resolved(whole)].compactMap(\.self) {
            for domain in domains {
                guard let folder = domain.folder else { continue }
                if path == folder || path.hasPrefix(folder + "/") {
                    self.domain = domain
                    self.path = String(path.dropFirst(folder.count + 1))
                    return
                }
            }
        }
        return nil
    }

    /// From the root, without `.` and `..`: nothing is asked of any file system.
    static func whole(_ text: String) -> String {
        var parts: [Substring] = []
        let start = text.hasPrefix("/") ? text : currentFolder + "/" + text
        for part in start.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static var currentFolder: String {
        guard let raw = getcwd(nil, 0) else { return "" }
        defer { free(raw) }
        return String(cString: raw)
    }

    private static func split(_ path: String) -> (String, String) {
        guard let slash = path.lastIndex(of: "/") else { return ("/", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    private static func resolved(_ path: String) -> String? {
        guard let raw = realpath(path, nil) else { return nil }
        defer { free(raw) }
        return String(cString: raw)
    }
}
