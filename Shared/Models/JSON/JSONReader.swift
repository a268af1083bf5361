/// Reads JSON from its front to its end, without a tree or a map of it in between: for answers with items by the
/// thousand.
///
/// It says of nothing what is wrong with it. What it cannot read, and what is written in an unusual way, gives nil,
/// and is for Foundation's decoder: that reads it after all, or says why not. What this one reads is the same as what
/// the other one would.
package struct JSONReader {
    private let bytes: [UInt8]
    private var next = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether nothing but space is left.
    package mutating func isAtEnd() -> Bool {
        skipSpace()
        return next == bytes.count
    }

    private mutating func skipSpace() {
        while next < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[next]) { next += 1 }
    }

    /// Takes a mark, with the space before it.
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        if next < bytes.count, bytes[next] <= 0x20 { skipSpace() }
        guard next < bytes.count, bytes[next] == UInt8(ascii: mark) else { return false }
        next += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        if next < bytes.count, bytes[next] <= 0x20 { skipSpace() }
        let length = word.utf8CodeUnitCount
        guard next + length <= bytes.count else { return false }
        for index in 0..<length where unsafe word.utf8Start[index] != bytes[next + index] {
            return false
        }
        next += length
        return true
    }

    // MARK: Structure

    /// Reads an object.
    /// - Parameter member: reads the value of a name; false when it cannot.
    package mutating func object(
        _ member: (inout JSONReader, String) -> Bool
    ) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let name = string(), take(":") else { return false }
            guard member(&self, name) else { return false }
        } while take(",")
        return take("}")
    }

    /// Reads an array, by reading its elements one by one.
    package mutating func array<Element>(
        _ element: (inout JSONReader) -> Element?
    ) -> [Element]? {
        guard take("[") else { return nil }
        var elements: [Element] = []
        if take("]") { return elements }
        repeat {
            guard let value = element(&self) else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? elements : nil
    }

    // MARK: Values

    package mutating func bool() -> Bool? {
        if take(word: "true") { return true }
        return take(word: "false") ? false : nil
    }

    /// One that is written with a backslash is not read.
    package mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = next
        while next < bytes.count, bytes[next] >= 0x20, bytes[next] != UInt8(ascii: "\\") {
            if bytes[next] == UInt8(ascii: "\"") {
                defer { next += 1 }
                return String(validating: bytes[start..<next], as: UTF8.self)
            }
            next += 1
        }
        return nil
    }

    /// One with a point, an exponent or more than eighteen digits is not read.
    package mutating func integer() -> Int64? {
        let isNegative = take("-")
        if !isNegative { skipSpace() }
        let start = next
        var number: Int64 = 0
        while next < bytes.count, case let digit = bytes[next] &- UInt8(ascii: "0"), digit < 10 {
            number = number &* 10 &+ Int64(digit)
            next += 1
        }
        let isLeading = next - start > 1 && bytes[start] == UInt8(ascii: "0")
        guard (1...18).contains(next - start), !isLeading else { return nil }
        return isNegative ? -number : number
    }
}
