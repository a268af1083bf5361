import BasketSupport

/// Numbers as people say them.
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
}
