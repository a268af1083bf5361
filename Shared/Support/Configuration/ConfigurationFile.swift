/// A configuration file, taken apart: lines of `name = value`.
///
/// A `#` at the start of a line, or after a blank, begins a comment. A value that holds one, or
/// blanks at its ends, stands in double quotes, where `\"` and `\\` are those two characters.
package struct ConfigurationFile: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package let number: Int
        package let name: String
        package let value: String
    }

    /// What is wrong with a line.
    package enum Flaw: Sendable, Equatable {
        case notText, noEquals, badName, section, openQuote, afterQuote, unknownEscape

        var message: String {
            switch self {
            case .notText: "the line holds control characters, or is not UTF-8. Write plain text."
            case .noEquals: "a line is a name, '=' and a value, such as: listen = 127.0.0.1:8080."
            case .badName:
                "before '=' stands a name of letters, digits and dashes, and here is none."
            case .section: "there are no sections. Remove the line; settings stand by themselves."
            case .openQuote: "the quoted value has no end. Close it with \"."
            case .afterQuote:
                "there is something after the quoted value. Put it inside, or after #."
            case .unknownEscape: "inside quotes a backslash stands only before \" or another one."
            }
        }
    }

    /// What a person wrote has a few hundred lines; more is a wrong path, say a device's.
    package static let mostBytes = 256 * 1024

    package let path: String
    package let lines: [Line]

    /// - Parameter path: names the file in errors; nothing is read from there.
    package init(path: String, contents: [UInt8]) throws(ConfigurationError) {
        guard contents.count <= Self.mostBytes else {
            throw .fileTooLarge(path: path, limit: Self.mostBytes)
        }
        // What some editors write first, to say that the text is UTF-8.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = contents.starts(with: mark) ? contents[3...] : contents[...]
        var lines: [Line] = []
        var number = 0
        for bytes in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            do {
                if let (name, value) = try Self.setting(in: bytes) {
                    lines.append(Line(number: number, name: name, value: value))
                }
            } catch {
                throw .malformedLine(.file(path: path, line: number), error.flaw)
            }
        }
        self.path = path
        self.lines = lines
    }

    private struct Malformed: Error {
        let flaw: Flaw
    }

    /// The setting in a line, or nil where there is none.
    private static func setting(
        in bytes: ArraySlice<UInt8>
    ) throws(Malformed) -> (name: String, value: String)? {
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({
                $0 == "\t" || $0.properties.generalCategory != .control
            })
        else { throw Malformed(flaw: .notText) }

        // By scalars, not by characters: a mark that combines with a quote does not hide it.
        let line = text.trimmingBlanks.unicodeScalars
        guard let first = line.first, first != "#" else { return nil }
        if first == "[" { throw Malformed(flaw: .section) }
        guard let equals = line.firstIndex(of: "=") else { throw Malformed(flaw: .noEquals) }
        let name = String(line[..<equals]).trimmingBlanks
        guard !name.isEmpty, name.utf8.allSatisfy(isPartOfName) else {
            throw Malformed(flaw: .badName)
        }
        let rest = String(line[equals...].dropFirst()).trimmingBlanks.unicodeScalars
        return (name, rest.first == "\"" ? try quoted(rest) : plain(rest))
    }

    /// Only what can be seen: an invisible character in an unknown name would be a riddle.
    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func plain(_ text: String.UnicodeScalarView) -> String {
        var before: Unicode.Scalar = " "
        for index in text.indices {
            if text[index] == "#", before == " " || before == "\t" {
                return String(text[..<index]).trimmingBlanks
            }
            before = text[index]
        }
        return String(text)
    }

    private static func quoted(_ text: String.UnicodeScalarView) throws(Malformed) -> String {
        var value = String.UnicodeScalarView()
        var rest = text.dropFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"":
                let tail = String(rest).trimmingBlanks.unicodeScalars
                guard tail.isEmpty || tail.first == "#" else { throw Malformed(flaw: .afterQuote) }
                return String(value)
            case "\\":
                guard let next = rest.popFirst() else { throw Malformed(flaw: .openQuote) }
                guard next == "\"" || next == "\\" else { throw Malformed(flaw: .unknownEscape) }
                value.append(next)
            default: value.append(scalar)
            }
        }
        throw Malformed(flaw: .openQuote)
    }
}
