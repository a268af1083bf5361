import Foundation

/// A content by what the books call it: its first line. Of a long one, the rest is always the same bytes, as many
/// as the line says.
enum Passage {
    /// No UTF-8 is torn by it, and no end of a line is in it.
    private static let rest: [UInt8] = {
        var value: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<2_000_000).map { _ in
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: value >> 58) + 48
        }
    }()

    private static let ending = " bytes more"
    private static let longestLine = 100

    /// What a text is called that goes on for so long.
    static func line(_ text: String, longerBy length: Int) -> String {
        "\(text), \(length)\(ending)"
    }

    static func bytes(of line: String) -> [UInt8] {
        guard let length = length(of: line) else { return Array(line.utf8) }
        return Array("\(line)\n".utf8) + rest[..<length]
    }

    /// What a content is called; of a long one that is cut off, also where. What is none is called what it is.
    static func text(of bytes: [UInt8]) -> String {
        guard let end = bytes.prefix(longestLine).firstIndex(of: UInt8(ascii: "\n")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        // Short ones may have lines, too.
        guard let length = length(of: line) else { return String(decoding: bytes, as: UTF8.self) }
        let count = bytes.count - end - 1
        guard count <= length, holdsRest(bytes, from: end + 1) else {
            return "damaged: \(line)"
        }
        return count == length ? line : "\(line)\n\(count)"
    }

    private static func holdsRest(_ bytes: [UInt8], from start: Int) -> Bool {
        let count = bytes.count - start
        return bytes[start...].withUnsafeBytes { bytes in
            rest.withUnsafeBytes { rest in
                guard let bytes = bytes.baseAddress, let rest = rest.baseAddress else {
                    return true
                }
                return memcmp(bytes, rest, count) == 0
            }
        }
    }

    private static func length(of line: String) -> Int? {
        guard line.hasSuffix(ending) else { return nil }
        return line.dropLast(ending.count).split(separator: " ").last.flatMap { Int($0) }
    }
}
