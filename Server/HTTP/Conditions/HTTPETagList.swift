/// What `If-Match` and `If-None-Match` hold: `*`, or tags.
package enum HTTPETagList: Equatable, Sendable {
    case any
    case tags([HTTPETag])

    /// nil for what is no list of tags. Several headers of one name count as one list.
    package init?(_ values: [String]) {
        let text = values.joined(separator: ",")
        var scanner = Scanner(text.utf8)
        scanner.skipSeparators()
        if scanner.rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [HTTPETag] = []
        while !scanner.rest.isEmpty {
            guard let tag = scanner.tag(), scanner.atEndOfElement() else { return nil }
            tags.append(tag)
            scanner.skipSeparators()
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    /// One tag and nothing else, as `If-Range` holds it.
    static func single(_ text: String) -> HTTPETag? {
        var scanner = Scanner(text.utf8)
        guard let tag = scanner.tag(), scanner.rest.isEmpty else { return nil }
        return tag
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        init(_ text: String.UTF8View) {
            rest = text[...]
            while let last = rest.last, last == 0x20 || last == 9 { rest.removeLast() }
        }

        mutating func skipSeparators() {
            while let byte = rest.first, byte == 0x20 || byte == 9 || byte == UInt8(ascii: ",") {
                rest.removeFirst()
            }
        }

        /// A comma has to stand between two tags.
        mutating func atEndOfElement() -> Bool {
            while let byte = rest.first, byte == 0x20 || byte == 9 { rest.removeFirst() }
            return rest.isEmpty || rest.first == UInt8(ascii: ",")
        }

        mutating func tag() -> HTTPETag? {
            var isWeak = false
            if rest.starts(with: "W/".utf8) {
                isWeak = true
                rest.removeFirst(2)
            }
            guard rest.first == UInt8(ascii: "\"") else { return nil }
            rest.removeFirst()
            guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")),
                rest[..<quote].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else { return nil }
            defer { rest = rest[rest.index(after: quote)...] }
            return HTTPETag(String(Substring(rest[..<quote])), isWeak: isWeak)
        }
    }
}
