import BasketDatabase
import BasketModels
import BasketSupport
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

    @Test(
        "collides by the domain's rule",
        arguments: [
            (CaseRule.posix, "a", "a", true), (.posix, "a", "A", false),
            (.posix, "\u{e9}", "e\u{301}", false), (.portable, "a", "A", true),
            (.portable, "\u{e9}", "e\u{301}", true), (.portable, "\u{c9}", "e\u{301}", true),
            (.portable, "stra\u{df}e", "STRASSE", true), (.portable, "ὀδός", "ὈΔΌΣ", true),
            (.portable, "STRA\u{1e9e}E", "stra\u{df}e", true),
            (.portable, "STRA\u{1e9e}E", "STRASSE", true),
            (.portable, "a", "b", false), (.portable, "e", "\u{e9}", false),
        ])
    func collision(rule: CaseRule, first: String, second: String, collides: Bool) async throws {
        let fixture = try await StoreFixture(caseRule: rule)
        let id = try await fixture.file(first)
        if collides {
            await #expect(throws: StoreError.nameTaken(id)) { try await fixture.file(second) }
        } else {
            _ = try await fixture.file(second)
            #expect(try fixture.names().count == 2)
        }
        #expect(try fixture.path(first).id == id)
    }

    @Test(
        "is refused where the domain can't hold it",
        arguments: [
            (CaseRule.posix, "", NameProblem.empty),
            (.posix, ".", .reserved), (.posix, "..", .reserved),
            (.posix, "a/b", .forbiddenCharacter("/")),
            (.posix, "a\0b", .forbiddenCharacter("NUL")),
            (.posix, String(repeating: "é", count: 128), .tooLong(limit: 255)),
            (.portable, "con", .reserved), (.portable, "CON.txt", .reserved),
            (.portable, "con .txt", .reserved), (.portable, "con.\u{301}", .reserved),
            (.portable, "Lpt9", .reserved), (.portable, "COM¹.log", .reserved),
            (.portable, "conout$", .reserved),
            (.portable, "a:b", .forbiddenCharacter(":")),
            (.portable, "a\\b", .forbiddenCharacter("\\")),
            (.portable, "a\u{7}", .forbiddenCharacter("a control character")),
            (.portable, "end.", .endsInDotOrSpace), (.portable, "end ", .endsInDotOrSpace),
        ])
    func refused(rule: CaseRule, name: String, problem: NameProblem) async throws {
        let fixture = try await StoreFixture(caseRule: rule)
        await #expect(throws: StoreError.badName(field: "name", problem)) {
            try await fixture.file(name)
        }
        let id = try await fixture.file("good")
        await #expect(throws: StoreError.badName(field: "name", problem)) {
            try await fixture.modify(id, ItemChange(name: name))
        }
        #expect(try fixture.names() == ["good"])
        #expect(try fixture.work.items == 1)
    }

    @Test(
        "is taken by a posix domain as Linux takes it",
        arguments: ["CON", "a:b", "end.", " ", "\n", "\u{7f}", String(repeating: "x", count: 255)])
    func taken(name: String) async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file(name)
        #expect(try fixture.path(name).id == id)
    }

    @Test("can change in nothing but its case or its Unicode form", arguments: CaseRule.allCases)
    func sameKey(rule: CaseRule) async throws {
        let fixture = try await StoreFixture(caseRule: rule)
        let id = try await fixture.file("caf\u{e9}")
        for name in ["cafe\u{301}", "CAFE\u{301}", "Caf\u{e9}"] {
            let before = try fixture.item(id)
            try await fixture.modify(id, ItemChange(name: name))
            let after = try fixture.item(id)
            #expect(Array(after.name.utf8) == Array(name.utf8))
            #expect(after.rank == before.rank + 1)
            #expect(after.metadataVersion > before.metadataVersion)
        }
    }

    @Test(
        "is bounced to the next free one",
        arguments: [
            ("photo.jpg", "photo 2.jpg", "photo 3.jpg"),
            ("photo 7.jpg", "photo 8.jpg", "photo 9.jpg"),
            ("site.tar.gz", "site 2.tar.gz", "site 3.tar.gz"),
            (".bashrc", ".bashrc 2", ".bashrc 3"),
            ("Mr. Smith goes", "Mr. Smith goes 2", "Mr. Smith goes 3"),
        ])
    func bounced(name: String, second: String, third: String) async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        for _ in 0..<3 {
            _ = try await fixture.change {
                try $0.create(
                    ItemCreation(parent: root, name: name, kind: .folder, ifExists: .rename), in: $1
                )
            }
        }
        #expect(try Set(fixture.names()) == [name, second, third])
    }

    @Test("fits into 255 bytes after it was bounced")
    func bouncedLong() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        let name = String(repeating: "ö", count: 125) + ".jpeg"
        for _ in 0..<2 {
            _ = try await fixture.change {
                try $0.create(
                    ItemCreation(parent: root, name: name, kind: .file, ifExists: .rename), in: $1)
            }
        }
        let names = try fixture.names()
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.utf8.count <= 255 && $0.hasSuffix(".jpeg") })
    }

    @Test("is found without walking past a thousand others", arguments: [1, 15, 16, 17, 1000])
    func bouncedOften(count: Int) async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        try await fixture.change { transaction, domain in
            for _ in 0..<count {
                _ = try transaction.create(
                    ItemCreation(parent: root, name: "a", kind: .folder, ifExists: .rename),
                    in: domain)
            }
        }
        let names = try Set(fixture.names())
        #expect(names.count == count)
        #expect(names.contains(count == 1 ? "a" : "a \(count)"))
    }
}
