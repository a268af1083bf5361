import BasketSupport
import Testing

@Suite("A configuration file")
struct ConfigurationFileTests {
    @Test(
        "is lines of names and values",
        arguments: [
            ("listen = 127.0.0.1:8080", "listen", "127.0.0.1:8080"),
            ("listen=127.0.0.1:8080\r", "listen", "127.0.0.1:8080"),
            ("  listen\t=\t127.0.0.1:8080  # here only", "listen", "127.0.0.1:8080"),
            ("name = a=b", "name", "a=b"),
            ("name = a#b", "name", "a#b"),
            ("name =", "name", ""),
            ("name = # nothing", "name", ""),
            (#"name = " # a \"b\" \\ " # comment"#, "name", #" # a "b" \ "#),
            ("name = \"a\u{70F}\" # combines", "name", "a\u{70F}"),
            ("name = \"\u{301}a\"", "name", "\u{301}a"),
            ("name = Grüße 👋🏽", "name", "Grüße 👋🏽"),
        ])
    func reads(text: String, name: String, value: String) throws {
        let file = try ConfigurationFile(path: "a.conf", contents: Array(text.utf8))
        #expect(file.lines.map(\.name) == [name])
        #expect(file.lines.map(\.value) == [value])
    }

    @Test("numbers its lines as an editor does, whatever stands between them")
    func numbers() throws {
        let text = "\u{FEFF}# first\n\n  \na = 1\r\n#\nb = 2"
        let file = try ConfigurationFile(path: "a.conf", contents: Array(text.utf8))
        #expect(file.lines.map(\.number) == [4, 6])
    }

    @Test(
        "is refused with the line that is wrong",
        arguments: [
            (Array("listen 8080".utf8), ConfigurationFile.Flaw.noEquals),
            (Array("= 8080".utf8), .badName),
            (Array("\u{FEFF}name = 1".utf8), .badName),
            (Array("two words = 1".utf8), .badName),
            (Array("[server]".utf8), .section),
            (Array("name = \"open".utf8), .openQuote),
            (Array(#"name = "open\"#.utf8), .openQuote),
            (Array(#"name = "a" b"#.utf8), .afterQuote),
            (Array(#"name = "\n""#.utf8), .unknownEscape),
            (Array("name = a\u{1B}[2J".utf8), .notText),
            (Array("name = a\0".utf8), .notText),
            ([0x61, 0x3D, 0xFF], .notText),
        ])
    func refuses(line: [UInt8], flaw: ConfigurationFile.Flaw) {
        #expect(throws: ConfigurationError.malformedLine(.file(path: "a.conf", line: 2), flaw)) {
            try ConfigurationFile(path: "a.conf", contents: Array("ok = 1\n".utf8) + line)
        }
    }

    @Test("has a limit")
    func limit() {
        let limit = ConfigurationFile.mostBytes
        #expect(throws: ConfigurationError.fileTooLarge(path: "a.conf", limit: limit)) {
            try ConfigurationFile(
                path: "a.conf", contents: [UInt8](repeating: 0x23, count: limit + 1))
        }
    }
}
