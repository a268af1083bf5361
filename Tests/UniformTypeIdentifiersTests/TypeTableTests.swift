import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite("The table of types")
struct TypeTableTests {
    @Test("is built in where there is no database")
    func builtIn() throws {
        let table = TypeTable(folders: ["/nowhere"])
        #expect(table.declarations == BuiltInTypes.all)
        let tag = try #require(TypeTag("jpg", .filenameExtension))
        #expect(table.candidates(tag).map { table.declarations[$0].identifier } == ["public.jpeg"])
    }

    @Test("that is built in names nothing twice, and no parent that is missing")
    func consistent() {
        let names = BuiltInTypes.all.map(\.identifier)
        #expect(Set(names).count == names.count)
        for type in BuiltInTypes.all {
            #expect(!type.identifier.isEmpty && type.description != nil, "\(type)")
            #expect(Set(type.parents).isSubset(of: names), "\(type.identifier)")
        }
        let types = BuiltInTypes.all.flatMap(\.mimeTypes)
        #expect(Set(types).count == types.count)
    }

    @Test("survives a database that is nonsense, and one that goes in circles")
    func hostile() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("basket-types-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // What cannot be removed is the temporary folder's to keep.
            try? FileManager.default.removeItem(at: folder)
        }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write("types", "application/x-a\napplication/x-b\n../../etc/passwd\nno type\n\0\n")
        try write(
            "subclasses",
            "application/x-a application/x-b\napplication/x-b application/x-a\na\nb c d\n")
        try write("aliases", "x/y x/y\napplication/x-z application/x-a\n")
        try write(
            "globs2",
            "50:application/x-a:*.aaa\nx:y\n::::\n99:application/x-a:*.[0-9]\n-1:application/x-b:*.b:cs\n"
        )

        let table = TypeTable(folders: [folder.path])
        let first = try #require(table.index(ofIdentifier: "org.freedesktop.mime.application.x-a"))
        let second = try #require(table.index(ofIdentifier: "org.freedesktop.mime.application.x-b"))
        #expect(table.ancestors[first].contains(second))
        #expect(!table.ancestors[first].contains(first))
        let alias = try #require(TypeTag("application/x-z", .mimeType))
        #expect(table.candidates(alias) == [first])
        #expect(table.declarations.count == BuiltInTypes.all.count + 2)
    }

    @Test(
        "spells MIME types as identifiers, and reads them again",
        arguments: [
            "application/x-blender", "image/svg+xml", "text/x-c++src", "a/b--c", "a/-", "a/b-+c",
            "a/b_c", "x-content/video-dvd", "application/vnd.a.b", "a/--2b", "a/b.c-",
        ])
    func spelling(mimeType: String) throws {
        let identifier = try #require(MIMEIdentifier.identifier(of: mimeType))
        #expect(MIMEIdentifier.mimeType(of: identifier) == mimeType)
        let name = identifier.dropFirst(MIMEIdentifier.prefix.count)
        #expect(name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" })
    }

    @Test(
        "reads a comment in the language that is asked for, else in English",
        arguments: [
            ("de", "Bild & mehr"), ("de_AT", "Bild & mehr"), ("fr", "image"), ("", "image"),
        ])
    func comments(language: String, expected: String) throws {
        let text = """
            <?xml version="1.0"?><mime-type type="x/y"><comment>image</comment>
            <comment xml:lang="de">Bild &amp; mehr</comment><comment </mime-type>
            """
        let comments = TypeComment.read(text)
        let wider = String(language.prefix { $0 != "_" })
        #expect((comments[language] ?? comments[wider] ?? comments[""]) == expected)
    }

    @Test("never looks for a comment outside of its folders")
    func paths() {
        for type in ["../../etc/passwd", "a/../../b", "a/b/c", "/etc"] {
            #expect(TypeComment.localized(of: type, in: ["/"], language: "") == nil)
        }
    }
}
