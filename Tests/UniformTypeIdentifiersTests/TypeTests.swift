import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite("A type")
struct TypeTests {
    @Test(
        "is Apple's for what both systems know",
        arguments: [
            ("jpg", "public.jpeg", "image/jpeg"), ("JPEG", "public.jpeg", "image/jpeg"),
            ("png", "public.png", "image/png"), ("txt", "public.plain-text", "text/plain"),
            ("html", "public.html", "text/html"), ("json", "public.json", "application/json"),
            ("pdf", "com.adobe.pdf", "application/pdf"),
            ("zip", "public.zip-archive", "application/zip"),
            ("swift", "public.swift-source", "text/x-swift"), ("heic", "public.heic", "image/heic"),
            ("mov", "com.apple.quicktime-movie", "video/quicktime"),
            ("mp3", "public.mp3", "audio/mpeg"), ("svg", "public.svg-image", "image/svg+xml"),
            (
                "docx", "org.openxmlformats.wordprocessingml.document",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
            ("md", "net.daringfireball.markdown", "text/markdown"),
        ])
    func known(suffix: String, identifier: String, mimeType: String) throws {
        let type = try #require(UTType(filenameExtension: suffix))
        #expect(type.identifier == identifier)
        #expect(type.preferredMIMEType == mimeType)
        #expect(UTType(mimeType: mimeType) == type)
        #expect(UTType(identifier) == type)
        #expect(type.isDeclared && !type.isDynamic)
        #expect(type.tags[.filenameExtension]?.contains(suffix.lowercased()) == true)
        #expect(type.conforms(to: .data))
        #expect(type.localizedDescription?.isEmpty == false)
    }

    @Test(
        "conforms to the wider ones",
        arguments: [
            (UTType.jpeg, UTType.image, true), (.jpeg, .item, true), (.jpeg, .content, true),
            (.jpeg, .jpeg, true), (.jpeg, .png, false), (.image, .jpeg, false),
            (.folder, .directory, true), (.folder, .data, false), (.folder, .item, true),
            (.package, .directory, true), (.package, .folder, false),
            (.bundle, .directory, true), (.symbolicLink, .folder, false),
            (.symbolicLink, .item, true), (.aliasFile, .data, true), (.svg, .xml, true),
            (.svg, .image, true), (.applicationBundle, .package, true),
            (.swiftSource, .sourceCode, true), (.zip, .archive, true),
        ])
    func conformance(_ type: UTType, _ wider: UTType, _ expected: Bool) {
        #expect(type.conforms(to: wider) == expected)
        #expect(type.isSubtype(of: wider) == (expected && type != wider))
        #expect(wider.isSupertype(of: type) == (expected && type != wider))
        #expect(type.supertypes.contains(wider) == (expected && type != wider))
    }

    @Test("comes from the database of MIME types where Apple has none")
    func freedesktop() throws {
        let type = try #require(UTType(filenameExtension: "blend"))
        #expect(type.identifier == "org.freedesktop.mime.application.x-blender")
        #expect(type.preferredMIMEType == "application/x-blender")
        #expect(type.preferredFilenameExtension == "blend")
        #expect(type.isDeclared)
        #expect(type.conforms(to: .data))
        #expect(UTType(type.identifier) == type)
        // An alias is the type that it stands for.
        #expect(UTType(mimeType: "application/x-pdf") == .pdf)
        // An extension that means something else in capitals.
        #expect(UTType(filenameExtension: "C") == .cPlusPlusSource)
        #expect(UTType(filenameExtension: "c") == .cSource)
        let source = try #require(UTType(mimeType: "text/x-fortran"))
        #expect(source.conforms(to: .plainText))
    }

    @Test(
        "is dynamic for what nobody declared, and says so in every process",
        arguments: [
            (UTTagClass.filenameExtension, "basket-9f"), (.filenameExtension, "größe"),
            (.mimeType, "application/x-basket-nothing"), (.filenameExtension, "a:b"),
        ])
    func dynamic(tagClass: UTTagClass, tag: String) throws {
        let type = try #require(UTType(tag: tag, tagClass: tagClass, conformingTo: .image))
        #expect(type.identifier.hasPrefix("dyn."))
        #expect(type.isDynamic && !type.isDeclared)
        #expect(type.tags == [tagClass: [tag]])
        #expect(type.conforms(to: .image) && type.conforms(to: .data))
        #expect(type.supertypes.contains(.image))
        let again = try #require(UTType(type.identifier))
        #expect(again == type)
        #expect(again.tags == type.tags)
        #expect(again.conforms(to: .image))
        #expect(UTType(tag: tag, tagClass: tagClass, conformingTo: .data) != type)
    }

    @Test(
        "is not made of what cannot be a tag",
        arguments: [
            ("", UTTagClass.filenameExtension), (".", .filenameExtension),
            ("a/b", .filenameExtension),
            ("a\0", .filenameExtension), ("a\n", .filenameExtension),
            (String(repeating: "a", count: 256), .filenameExtension), ("", .mimeType),
            ("text", .mimeType), ("a/b/c", .mimeType), ("/plain", .mimeType), ("text/", .mimeType),
            ("text/pl ain", .mimeType), ("text/plain", UTTagClass(rawValue: "com.example")),
        ])
    func wrongTags(tag: String, tagClass: UTTagClass) {
        #expect(UTType(tag: tag, tagClass: tagClass, conformingTo: nil) == nil)
        #expect(UTType.types(tag: tag, tagClass: tagClass, conformingTo: nil).isEmpty)
    }

    @Test(
        "is nothing under an identifier that nobody declared",
        arguments: [
            "", "public.nothing", "dyn.", "dyn.a", "dyn.aaaaaaaa", "dyn.!!!", "dyn.mfrggzdfmztwq",
            "org.freedesktop.mime.", "org.freedesktop.mime.application.", "com.example.nothing",
        ])
    func unknown(identifier: String) {
        #expect(UTType(identifier) == nil)
    }

    @Test("of the program's own keeps its name, and conforms to what it says")
    func exported() {
        let own = UTType(exportedAs: "com.example.drawing", conformingTo: .image)
        #expect(own.identifier == "com.example.drawing")
        #expect(own.conforms(to: .image) && own.conforms(to: .data))
        #expect(!own.conforms(to: .jpeg))
        #expect(!own.isDeclared && !own.isDynamic)
        #expect(UTType(importedAs: "public.jpeg", conformingTo: .text) == .jpeg)
        let narrower = UTType(importedAs: "com.example.sketch", conformingTo: own)
        #expect(narrower.conforms(to: .image))
    }

    @Test("takes MIME types with parameters and in capitals")
    func parameters() {
        #expect(UTType(mimeType: "Text/HTML; charset=utf-8") == .html)
    }

    @Test("is chosen among those that conform to what is asked for")
    func chosen() {
        #expect(UTType(filenameExtension: "app", conformingTo: .package) == .applicationBundle)
        #expect(UTType(filenameExtension: "app")?.isDynamic == true)
        #expect(UTType(filenameExtension: "jpg", conformingTo: .audio)?.isDynamic == true)
        #expect(
            UTType.types(tag: "jpg", tagClass: .filenameExtension, conformingTo: nil).first == .jpeg
        )
    }

    @Test(
        "is told from a file's name as from its extension",
        arguments: [
            "a.jpg", "a.tar.gz", "a.JPG", "a", "a.", ".jpg", ".a.jpg", "..jpg", "", ".", "ü.md",
            "a b.txt",
        ])
    func ofName(name: String) {
        let usual = UTType(filenameExtension: (name as NSString).pathExtension) ?? .data
        #expect(UTType.ofFile(named: name) == usual)
    }

    @Test("is stored as its identifier")
    func coding() throws {
        let types: [UTType] = [.jpeg, .init(importedAs: "com.example.unknown")]
        let data = try JSONEncoder().encode(types)
        #expect(String(decoding: data, as: UTF8.self) == #"["public.jpeg","com.example.unknown"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == types)
    }

    @Test("is declared for each name that programs use")
    func named() throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Client/UniformTypeIdentifiers/UTType+BuiltIn.swift")
        let names = try String(contentsOf: source, encoding: .utf8)
            .split(separator: "\n").filter { $0.contains("public static let") }
            .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
        #expect(names.count > 130)
        for name in names {
            #expect(UTType(name)?.identifier == name, "\(name)")
        }
        #expect(UTType.osaScriptBundle.conforms(to: .bundle))
        #expect(UTType.realityFile.conforms(to: .threeDContent))
    }

    @Test("that only a program has declared comes back from its spelling with what it conforms to")
    func spelling() throws {
        let score = UTType(exportedAs: "com.example.score", conformingTo: .plainText)
        let read = try #require(UTType(spelling: score.spelling))
        #expect(read.identifier == "com.example.score")
        #expect(read.conforms(to: .plainText) && read.conforms(to: .data))
        #expect(!read.conforms(to: .image))
        for known in [UTType.jpeg, try #require(UTType(filenameExtension: "unheard-of"))] {
            #expect(known.spelling == known.identifier)
            #expect(UTType(spelling: known.spelling) == known)
        }
        #expect(UTType(spelling: "com.example.score") == nil)
        #expect(UTType(spelling: ":public.text") == nil)
    }
}
