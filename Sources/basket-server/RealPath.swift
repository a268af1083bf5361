import Glibc

/// Where a path leads, past links and dots: two paths are compared by that.
enum RealPath {
    /// Also of what is not there yet, wholly or in its last parts; nil where no path leads anywhere.
    static func of(_ path: String) -> String? {
        var head = path.hasPrefix("/") ? path : "./" + path
        var missing: [Substring] = []
        while true {
            if let found = resolved(head) { return joined(found, missing.reversed()) }
            guard let slash = head.lastIndex(of: "/"), slash != head.startIndex else { return nil }
            missing.append(head[head.index(after: slash)...])
            head = String(head[..<slash])
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// What is missing would become folders, of which the dots go up as they are read.
    private static func joined(_ path: String, _ names: [Substring]) -> String {
        var parts = path.split(separator: "/")
        for name in names where !name.isEmpty && name != "." {
            if name == ".." { _ = parts.popLast() } else { parts.append(name) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
