import FileProviderHost
import Foundation
import Testing

@Suite("A declaration")
struct DeclarationTests {
    private static let json = """
        {"NSFileProviderDecorations": [{"Identifier": "a", "Category": "Badge"}]}
        """

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
            <key>NSFileProviderDecorations</key>
            <array><dict>
                <key>Identifier</key><string>a</string>
                <key>Category</key><string>Badge</string>
            </dict></array>
        </dict></plist>
        """

    @Test(
        "is read from JSON, from a property list, and from the Info.plist that it is in",
        arguments: [json, list, "{\"NSExtension\": \(json), \"CFBundleName\": \"A\"}"])
    func forms(text: String) throws {
        let declaration = ExtensionDeclaration(reading: Data(text.utf8))
        #expect(declaration.problems == [])
        #expect(declaration.decorations.map(\.identifier.rawValue) == ["a"])
    }

    @Test("that cannot be read is empty, and says why", arguments: ["", "{", "[1]", "\"text\""])
    func nonsense(text: String) throws {
        let declaration = ExtensionDeclaration(reading: Data(text.utf8))
        #expect(declaration.problems.count == 1)
        #expect(declaration.decorations.isEmpty)
    }
}
