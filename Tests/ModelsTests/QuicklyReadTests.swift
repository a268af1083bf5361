import BasketModels
import BasketSupport
import Foundation
import Testing

@Suite("What is read without Foundation's decoder")
struct QuicklyReadTests {
    private static let file = """
        {"id":"1wep6f","parent":"root","name":"ä b","kind":"file","contentVersion":"1a",\
        "metadataVersion":"1b","size":12,"sha256":"\(String(repeating: "0f", count: 32))",\
        "conflicts":1,"created":"2026-11-21T09:30:00.5Z","modified":"2026-11-21T09:30:00Z",\
        "mode":"0644","flags":["hidden","newer"],"favoriteRank":-7,"tags":["a","b"]}
        """
    private static let folder = """
        {"id":"2","parent":"1","name":"f","kind":"folder","contentVersion":"1",\
        "metadataVersion":"1","children":3,"trashed":"2026-11-21T09:30:00+01:00","trashedFrom":"x",\
        "lastUsed":"2026-11-21T09:30:00Z","mode":"0755","flags":[],"thumbnail":"9"}
        """
    private static let gone = """
        {"id":"3","name":"","kind":"symlink","contentVersion":"1","metadataVersion":"1",\
        "target":"../a","deleted":"2026-11-21T09:30:00Z"}
        """

    private static func page(_ items: String...) -> String {
        #"{"items":[\#(items.joined(separator: ","))],"anchor":"1-2","more":true}"#
    }

    private func decoded(_ text: [UInt8]) -> ChangePage? {
        try? JSONDecoder().decode(ChangePage.self, from: Data(text))
    }

    @Test(
        "is the same as with it",
        arguments: [
            page(), page(file), page(file, folder, gone),
            " {\n\"items\" : [ \(file) ,\t\(gone) ] , \"more\":false,\"anchor\":\"a\"}\r\n",
        ])
    func usual(text: String) throws {
        let page = try #require(ChangePage.read(quickly: Array(text.utf8)))
        #expect(page == decoded(Array(text.utf8)))
    }

    @Test(
        "leaves to it what is unusual",
        arguments: [
            ("\"size\":12", "\"size\":1.2e1"), ("\"size\":12", "\"size\":9223372036854775807"),
            ("\"size\":12", "\"size\":null"), ("\"ä b\"", #""a\u0062""#),
            ("\"size\":12", "\"xattrs\":{}"), ("\"size\":12", "\"unheardOf\":[{}]"),
            ("\"size\":12", "\"size\":12,\"size\":13"), ("\"more\":true", "\"more\":true,\"x\":1"),
        ])
    func unusual(old: String, new: String) {
        let text = Self.page(Self.file).replacingOccurrences(of: old, with: new)
        #expect(ChangePage.read(quickly: Array(text.utf8)) == nil)
    }

    @Test(
        "is never what it would refuse, or read otherwise", arguments: UInt64(0)..<8)
    func same(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = Array(Self.page(Self.file, Self.folder, Self.gone).utf8)
        let marks = Array("{}[]\",:\\-+.0123456789eEtfnulabcdxyz \n\u{1}ä".utf8)
        var count = 0
        for _ in 0..<200 {
            var text = whole
            let place = Int.random(in: 0..<text.count, using: &random)
            let mark = marks.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text[place] = mark
            case 1: text.insert(mark, at: place)
            default: text.remove(at: place)
            }
            guard let page = ChangePage.read(quickly: text) else { continue }
            count += 1
            #expect(page == decoded(text), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(count > 10)
    }
}
