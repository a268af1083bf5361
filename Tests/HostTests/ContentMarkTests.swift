import Foundation
import Testing

@testable import FileProviderReplica

@Suite("What is noted at a file")
struct ContentMarkTests {
    @Test(
        "can be read again, whatever the names",
        arguments: ["plain", "a \"b\" \\ c/d", "line\nbreak\ttab\u{1}\u{7f}", "ü 🧺 \u{2028}", ""])
    func names(name: String) throws {
        for (item, base, size) in [
            (nil, nil, nil), (name, Data([0, 255, 10]), 0), ("item", Data(), Int64.max),
        ] as [(String?, Data?, Int64?)] {
            let mark = ContentMark(
                path: ["folder", name, name], item: item, base: base, size: size)
            #expect(ContentMark(bytes: mark.bytes) == mark)
        }
    }
}
