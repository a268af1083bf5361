import Foundation
import Fuzzers
import Testing

@Suite("The fuzzers' corpus")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    private static func files(of fuzzer: String) -> [URL] {
        let folder = folder.appending(path: fuzzer)
        let found = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)  // Missing is empty, which a test refuses.
        return (found ?? []).sorted { $0.path < $1.path }
    }

    @Test("holds something for every fuzzer", arguments: fuzzers.map { $0.name })
    func isThere(fuzzer: String) {
        #expect(!Self.files(of: fuzzer).isEmpty)
    }

    @Test("breaks no parser", arguments: fuzzers.map { $0.name })
    func holds(fuzzer name: String) throws {
        let fuzzer = try #require(fuzzers.first { $0.name == name })
        for file in Self.files(of: name) {
            let bytes = try [UInt8](Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try fuzzer.feed(bytes) }
        }
    }

    @Test("belongs to fuzzers that exist")
    func knowsItsFuzzers() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(folders).subtracting(fuzzers.map { $0.name }).isEmpty)
    }
}
