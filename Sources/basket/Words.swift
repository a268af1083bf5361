import BasketSupport

/// Numbers as people say them, and names as they are shown to them.
enum Words {
    private static let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"]

    static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        guard unit > 0 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        let tenths = (value * 10).rounded() / 10
        return value < 100 ? "\(tenths) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
    }

    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// A moment of the wire, without what nobody reads.
    static func moment(_ text: String) -> String {
        let whole = text.prefix { $0 != "." && $0 != "Z" }
        return whole.replacing("T", with: " ") + " UTC"
    }

    // MARK: Names

    /// A name that somebody has chosen, without what a terminal would obey. Scripts get names as they are.
    static func shown(_ name: String) -> String { ShownText.escaped(name) }

    /// A path, of which the root's own is empty.
    static func path(_ path: String) -> String { path.isEmpty ? "/" : shown(path) }

    /// The last name of a path.
    static func lastName(of path: String) -> String {
        let name = path.unicodeScalars.split(separator: "/").last
        return name.map { String($0) } ?? path
    }

    // MARK: Columns

    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
