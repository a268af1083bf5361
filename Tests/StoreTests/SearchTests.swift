import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Searching")
struct SearchTests {
    private func index(_ fixture: StoreFixture, _ domain: Domain, step: Int = 100) async throws {
        while try await !fixture.store.write({
            try $0.indexForSearch(domain: domain.id, limit: step)
        }) {}
    }

    private func find(
        _ text: String, _ fixture: StoreFixture, in domain: Domain? = nil
    ) async throws -> Set<String> {
        let domain = try domain ?? fixture.work
        try await index(fixture, domain)
        guard let query = SearchQuery(text) else { return ["no query"] }
        var found: Set<String> = []
        try fixture.store.read { db in
            try db.search(query, in: domain, skipping: 0, limit: 100) { row throws(SQLiteError) in
                found.insert(try row[ItemColumn.name])
                return true
            }
        }
        return found
    }

    @Test(
        "finds words by their beginnings, in any order, without regard to case and accents",
        arguments: [
            ("re", ["Report 2026.odt", "Résumé.pdf"]), ("report", ["Report 2026.odt"]),
            ("resume", ["Résumé.pdf"]), ("RÉSUMÉ", ["Résumé.pdf"]),
            ("2026 rep", ["Report 2026.odt"]), ("report missing", []), ("eport", []),
            ("odt", ["Report 2026.odt"]), ("tax", ["Report 2026.odt"]),
            ("report tax", ["Report 2026.odt"]), ("файл", ["Файл"]),
            (#""report""#, ["Report 2026.odt"]), (#"report""#, ["Report 2026.odt"]),
            ("report OR resume", []), ("report AND 2026", []), ("NOT x", []),
            ("name:report", []), ("report*", ["Report 2026.odt"]),
            ("(report)", ["Report 2026.odt"]),
            ("scope", []), ("^report", ["Report 2026.odt"]), ("{name}", []), ("a-b", ["a-b_c"]),
            ("c", ["a-b_c"]), ("-", ["no query"]), ("", ["no query"]), ("  \0 ", ["no query"]),
            ("report\"\u{301}", ["Report 2026.odt"]), ("\u{600}\"report", ["Report 2026.odt"]),
            ("x\"\u{301})OR(scope:\"d1", []),
            ("NEAR(report 2026)", []), ("'; DROP TABLE item; --", []),
        ])
    func words(query: String, names: [String]) async throws {
        let fixture = try await StoreFixture()
        var tagged = ItemChange()
        tagged.metadata.tags = .set(["Tax", "home office"])
        try await fixture.modify(try await fixture.file("Report 2026.odt"), tagged)
        for name in ["Résumé.pdf", "Файл", "a-b_c"] { _ = try await fixture.file(name) }
        #expect(try await find(query, fixture) == Set(names))
    }

    @Test("finds nothing of another domain, not even by its number")
    func otherDomain() async throws {
        let fixture = try await StoreFixture()
        let ann = fixture.ann
        let other = try await fixture.store.write(as: ann) { transaction in
            _ = try transaction.createDomain("Other", caseRule: .posix, hasTrash: true, quota: nil)
            return try transaction.db.domain("Other", for: ann)
        }
        _ = try await fixture.file("secret plan")
        #expect(try await find("secret", fixture) == ["secret plan"])
        #expect(try await find("secret", fixture, in: other) == [])
        let work = try fixture.work.id
        #expect(try await find("d\(work) secret", fixture, in: other) == [])
        #expect(try await find("d\(work)", fixture) == [])
    }

    @Test(
        "follows renames and deletions, and knows when it has seen them all",
        arguments: [1, 2, 100])
    func follows(step: Int) async throws {
        let fixture = try await StoreFixture()
        func isCurrent() throws -> Bool {
            try fixture.store.read { try $0.isSearchCurrent(fixture.work) }
        }
        let id = try await fixture.file("first")
        _ = try await fixture.file("keep")
        #expect(try !isCurrent())
        try await index(fixture, try fixture.work, step: step)
        #expect(try isCurrent())
        try await fixture.modify(id, ItemChange(name: "second"))
        #expect(try !isCurrent())
        #expect(try await find("first", fixture) == [])
        #expect(try await find("second", fixture) == ["second"])
        try await fixture.delete(id)
        #expect(try await find("second", fixture) == [])
        #expect(try isCurrent())
        fixture.clock.advance(.seconds(86_400 * 100))
        try await fixture.retain { try $0.forgetTombstones(RetentionPolicy()) }
        #expect(try isCurrent())
    }

    @Test("has not seen all of a rank when it stopped in the middle")
    func middle() async throws {
        let fixture = try await StoreFixture()
        try await fixture.change { transaction, domain in
            for number in 0..<10 {
                _ = try transaction.create(
                    ItemCreation(parent: domain.root, name: "f\(number)", kind: .file), in: domain)
            }
        }
        let work = try fixture.work
        let isDone = try await fixture.store.write {
            try $0.indexForSearch(domain: work.id, limit: 5)
        }
        #expect(!isDone)
        #expect(try !fixture.store.read { try $0.isSearchCurrent(work) })
        #expect(try await find("f", fixture).count == 10)
    }
}
