import BasketModels
import Foundation
import Testing

@Suite("Written JSON")
struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("has its commas between members, elements and nowhere else")
    func structure() {
        let written = text { writer in
            writer.object { writer in
                writer.key("none")
                writer.array { _ in }
                writer.key("some")
                writer.array { writer in
                    writer.number(1)
                    writer.object { _ in }
                    writer.null()
                    writer.bool(false)
                }
                writer.key(text: "a \"name\"")
                writer.json(Array("{}".utf8))
            }
            writer.endLine()
            writer.number(2)
        }
        #expect(written == "{\"none\":[],\"some\":[1,{},null,false],\"a \\\"name\\\"\":{}}\n2")
    }

    @Test(
        "reads back as what it was",
        arguments: ["", "\"\\/\u{0}\u{1f}\u{7f}\n\r\t", "é😀\u{2028}e\u{301}"])
    func strings(value: String) throws {
        let written = text { writer in writer.array { $0.string(value) } }
        let read = try JSONDecoder().decode([String].self, from: Data(written.utf8))
        #expect(read.map { Array($0.utf8) } == [Array(value.utf8)])
    }

    @Test("holds every whole number", arguments: [0, -1, 42, Int64.max, Int64.min])
    func numbers(value: Int64) {
        #expect(text { $0.number(value) } == "\(value)")
    }
}
