import BasketModels
import Testing

@testable import BasketStore

@Suite("A name in a folder")
struct NameTests {
    @Test("is there after it was made", arguments: WriterKind.allCases)
    func made(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let id = try await fixture.file("report.odt")
        #expect(try fixture.path("report.odt").id == id)
        #expect(try fixture.text(id) == "hello")
        #expect(try fixture.names() == ["report.odt"])
    }
}
