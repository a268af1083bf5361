import BasketSupport
import Testing

@Suite("A name that is taken")
struct BouncedNameTests {
    @Test(
        "is followed by a numbered one",
        arguments: [
            ("photo.jpg", "photo 2.jpg"), ("photo 2.jpg", "photo 3.jpg"), ("notes", "notes 2"),
            (".profile", ".profile 2"), ("backup.tar.gz", "backup 2.tar.gz"),
            ("Dear Ann. How are you", "Dear Ann. How are you 2"), (" 2", " 2 2"),
            ("v 1.txt", "v 1 2.txt"),
            ("x 999999999999999999999", "x 999999999999999999999 2"),
        ])
    func next(name: String, bounced: String) {
        #expect(BouncedName(name).candidate(0) == bounced)
    }

    @Test("fits in 255 bytes and keeps its extension and whole letters")
    func long() {
        let name = String(repeating: "é", count: 125) + ".jpeg"
        let bounced = BouncedName(name).candidate(0)
        #expect(bounced.hasSuffix("é 2.jpeg"))
        #expect((250...255).contains(bounced.utf8.count))
    }
}
