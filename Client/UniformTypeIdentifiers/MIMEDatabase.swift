import Foundation

/// What the shared database of MIME types says, as far as types need it: names, aliases, subclasses, and
/// the extensions among its patterns.
struct MIMEDatabase {
    /// Debian's files are 50 KB; a folder of somebody's own may hold anything.
    static let mostBytes = 4 << 20

    private(set) var types: Set<String> = []
    private(set) var aliases: [String: String] = [:]
    private(set) var parents: [String: [String]] = [:]
    /// For each type its extensions, the weightiest first.
    private(set) var extensions: [String: [String]] = [:]
    /// For each extension the types that claim it, the weightiest first. Lower case, but for the few
    /// extensions that mean something else in capitals.
    private(set) var claims: [String: [String]] = [:]

    /// Reads the database's folders, the most important first. What is missing or unreadable is left out:
    /// there is always the table that is built in.
    init(folders: [String]) {
        var globs: [Glob] = []
        for folder in folders {
            for line in Self.lines(folder + "/types") { types.insert(String(line)) }
            for pair in Self.pairs(folder + "/aliases") where aliases[pair.0] == nil {
                aliases[pair.0] = pair.1
            }
            for pair in Self.pairs(folder + "/subclasses") {
                parents[pair.0, default: []].append(pair.1)
            }
            globs += Self.lines(folder + "/globs2").compactMap(Glob.init)
        }
        for glob in globs.sorted(by: { $0.weight > $1.weight }) {
            types.insert(glob.type)
            if extensions[glob.type]?.contains(glob.suffix) != true {
                extensions[glob.type, default: []].append(glob.suffix)
            }
            let key = glob.isCaseSensitive ? glob.suffix : glob.suffix.lowercased()
            if claims[key]?.contains(glob.type) != true {
                claims[key, default: []].append(glob.type)
            }
        }
    }

    /// The name that an alias stands for, or the name itself.
    func canonical(_ mimeType: String) -> String {
        aliases[mimeType] ?? mimeType
    }

    private static func lines(_ path: String) -> [Substring] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer {
            // Nothing was written that closing could lose.
            try? file.close()
        }
        // An unreadable database is none: types are a convenience, never a reason to fail.
        guard let data = try? file.read(upToCount: mostBytes) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
    }

    private static func pairs(_ path: String) -> [(String, String)] {
        lines(path).compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 ? (String(words[0]), String(words[1])) : nil
        }
    }

    /// A line of `globs2` whose pattern is an extension: `50:image/jpeg:*.jpg`.
    private struct Glob {
        let weight: Int
        let type: String
        let suffix: String
        let isCaseSensitive: Bool

        init?(_ line: Substring) {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count >= 3, let weight = Int(fields[0]), fields[2].hasPrefix("*.") else {
                return nil
            }
            let suffix = fields[2].dropFirst(2)
            guard !suffix.isEmpty, !suffix.contains(where: { "*?[]\\".contains($0) }) else {
                return nil
            }
            self.weight = weight
            type = String(fields[1])
            self.suffix = String(suffix)
            isCaseSensitive = fields.dropFirst(3).contains {
                $0.split(separator: ",").contains("cs")
            }
        }
    }
}
