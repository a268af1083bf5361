/// A size, as people write it: `65536`, `64KiB`, `1GiB`.
package struct ByteCount: SettingValue, Comparable, Hashable {
    package let bytes: Int64

    package init(bytes: Int64) {
        self.bytes = bytes
    }

    package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    /// Largest first, so that the first that divides a size is the one to write it in. Powers of
    /// 1000 are refused instead of guessed at: who writes MB may mean either.
    private static let units: [(name: String, bytes: Int64)] = [
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ]

    package static var placeholder: String? { "SIZE" }

    package static func read(_ text: String) throws(SettingMismatch) -> ByteCount {
        let expected = SettingMismatch(expected: "a size such as 65536, 64KiB, 10MiB or 1GiB")
        let unit = units.first { text.hasSuffix($0.name) }
        let digits = text.dropLast(unit?.name.count ?? 0)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.decimalDigit != nil }),
            let count = Int64(digits)
        else { throw expected }
        let (bytes, tooLarge) = count.multipliedReportingOverflow(by: unit?.bytes ?? 1)
        guard !tooLarge else { throw expected }
        return ByteCount(bytes: bytes)
    }

    package var settingText: String {
        let unit = Self.units.first { bytes > 0 && bytes % $0.bytes == 0 }
        return "\(bytes / (unit?.bytes ?? 1))\(unit?.name ?? "")"
    }

    /// For people: about so much, in the largest unit that it fills.
    package var roundedText: String {
        guard let unit = Self.units.first(where: { bytes >= $0.bytes }) else {
            return "\(bytes) bytes"
        }
        let tenths = (bytes / (unit.bytes / 16) * 10 + 8) / 16
        return "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
