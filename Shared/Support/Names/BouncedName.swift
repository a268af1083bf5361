/// The names that are tried, one after another, when one is taken: `photo 2.jpg`, `photo 3.jpg`.
package struct BouncedName: Sendable {
    private let stem: String
    private let suffix: String
    private let first: Int

    /// Extensions that come in two parts stay together.
    private static let outerExtensions: Set<String> = [
        "gz", "bz2", "xz", "zst", "lz4", "gpg", "asc",
    ]

    package init(_ name: String) {
        let (base, suffix) = Self.split(name)
        self.suffix = suffix
        // A number that is there already is raised: "photo 2" is followed by "photo 3".
        if let space = base.lastIndex(of: " "), let number = Int(base[base.index(after: space)...]),
            (2..<1_000_000).contains(number), space > base.startIndex
        {
            stem = String(base[..<space])
            first = number + 1
        } else {
            stem = base
            first = 2
        }
    }

    /// The n-th name to try, starting with 0; cut so that it fits into 255 bytes.
    package func candidate(_ index: Int) -> String {
        let tail = " \(first + index)\(suffix)"
        var head = stem
        while head.utf8.count + tail.utf8.count > CaseRule.longestName, !head.isEmpty {
            head.removeLast()
        }
        return head + tail
    }

    private static func split(_ name: String) -> (base: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        let outer = name[name.index(after: dot)...]
        // What is long or has a space in it is a sentence with a full stop, not an extension.
        guard !outer.isEmpty, outer.utf8.count <= 16, !outer.contains(" ") else {
            return (name, "")
        }
        let rest = name[..<dot]
        if outerExtensions.contains(outer.lowercased()), let inner = rest.lastIndex(of: "."),
            inner > rest.startIndex, rest[inner...].utf8.count <= 6
        {
            return (String(name[..<inner]), String(name[inner...]))
        }
        return (String(rest), String(name[dot...]))
    }
}
