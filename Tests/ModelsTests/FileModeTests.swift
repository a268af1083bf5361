import BasketModels
import Foundation
import Testing

@Suite("A file's mode")
struct FileModeTests {
    private func decoded(_ text: String) throws -> FileMode {
        try JSONDecoder().decode([FileMode].self, from: Data("[\"\(text)\"]".utf8))[0]
    }

    @Test(
        "is written as people write it",
        arguments: [("644", "0644"), ("0", "0000"), ("04755", "4755")])
    func spelling(text: String, spelled: String) throws {
        #expect(try decoded(text).description == spelled)
    }

    @Test(
        "is octal digits and nothing else",
        arguments: ["", "-0", "+7", "8", "0o644", "17777", "000644", " 644", "٦"])
    func refused(text: String) {
        #expect(throws: DecodingError.self) { try decoded(text) }
    }
}
