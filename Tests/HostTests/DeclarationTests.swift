import FileProvider
import Foundation
import Testing

@testable import FileProviderHost

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

    @Test("says how many calls there are at a time, within what is possible")
    func depths() {
        func read(_ text: String) -> ExtensionDeclaration {
            ExtensionDeclaration(reading: Data(text.utf8))
        }
        let prefix = "NSExtensionFileProvider"
        let all = read(
            """
            {"\(prefix)DownloadPipelineDepth": 1, "\(prefix)UploadPipelineDepth": 128,
             "\(prefix)MetadataOnlyUploadPipelineDepth": 7}
            """)
        #expect(
            all.depths == DeclaredDepths(downloads: 1, uploads: 128, metadataOnlyUploads: 7))
        #expect(all.problems == [])
        #expect(read("{}").depths == DeclaredDepths())
        for value in ["0", "129", "-1", "\"2\"", "1.5", "[]"] {
            let wrong = read("{\"\(prefix)DownloadPipelineDepth\": \(value)}")
            #expect(wrong.depths == DeclaredDepths())
            #expect(wrong.problems.count == 1)
        }
    }

    @Test("says whether people may have bytes go")
    func eviction() {
        let key = "NSExtensionFileProviderAllowsUserControlledEviction"
        func read(_ value: String) -> ExtensionDeclaration {
            ExtensionDeclaration(reading: Data("{\"\(key)\": \(value)}".utf8))
        }
        #expect(ExtensionDeclaration().allowsUserControlledEviction)
        #expect(read("true").allowsUserControlledEviction)
        #expect(!read("false").allowsUserControlledEviction)
        for wrong in ["\"no\"", "[]"] {
            #expect(read(wrong).allowsUserControlledEviction && read(wrong).problems.count == 1)
        }
    }

    @Test("names programs for which nothing is brought here")
    func programs() {
        let key = "NSFileProviderExtensionNonMaterializingProcessNames"
        let names = ExtensionDeclaration(reading: Data("{\"\(key)\": [\"a\", \"b\"]}".utf8))
        #expect(names.nonMaterialisingProcesses == ["a", "b"])
        let wrong = ExtensionDeclaration(reading: Data("{\"\(key)\": [1]}".utf8))
        #expect(wrong.nonMaterialisingProcesses == [])
        #expect(wrong.problems.count == 1)
    }
}
