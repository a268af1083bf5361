import Testing

@testable import FileProviderHost

@Suite("A program's own file")
struct DraftNameTests {
    @Test(
        "is told by what programs call it",
        arguments: [
            "photos.db-journal",
            "lu1.tmp", "LU1.TMP", "report.odt.Xk3f9Q", "sedKq81Zx", ".notes.txt.aB3dE9", "tmpfile",
            "a~",
            "config.new", ".goutputstream-AB12CD",
        ])
    func likely(name: String) {
        #expect(DraftName.isLikely(name))
    }

    @Test(
        "is not what people call theirs",
        arguments: ["a", "report.odt", "notes.txt", "photo.jpeg", ""])
    func unlikely(name: String) {
        #expect(!DraftName.isLikely(name))
    }
}
