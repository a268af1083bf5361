import FileProvider
import Testing

@Suite("The porting guide")
struct PortingGuideTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("shows for here only what is compiled")
    func compiled() throws {
        let compiled = try Self.lines("Tests/PortingTests/GuideExamples.swift")
        var examples: [[String]] = []
        var isExample = false
        for line in try Self.lines("docs/file-provider.md") {
            if line == "```swift here" {
                isExample = true
                examples.append([])
            } else if line == "```" {
                isExample = false
            } else if isExample {
                examples[examples.count - 1].append(line)
            }
        }
        #expect(examples.count == 8)
        for example in examples {
            let starts = compiled.indices.filter { compiled[$0...].starts(with: example) }
            #expect(starts.count == 1, "\(example.first ?? "an empty example")")
        }
    }

    @Test("is right about members that only a subclass has")
    func subclasses() {
        class Late: Template {
            var tagData: Data? { Data([1]) }
        }
        let late: NSFileProviderItem = Late("a", .plainText, in: .rootContainer)
        if case .some = late.tagData { Issue.record("the guide says that nobody sees it") }
        let document: NSFileProviderItem = GuideExamples.Document(.init("a"), "a")
        #expect(document.documentSize == .some(.some(5)))
    }

    @Test("is right about errors that come as objects")
    func errors() {
        let object: Error = NSError(domain: NSFileProviderErrorDomain, code: -1000)
        #expect(object as? NSFileProviderError == nil)
        #expect(GuideExamples.explain(object) == "Sign in again.")
        #expect(GuideExamples.explain(NSFileProviderError(.notAuthenticated)) == "Sign in again.")
        let missing = NSError.fileProviderErrorForNonExistentItem(withIdentifier: .init("a"))
        #expect(GuideExamples.missing(missing) == .init("a"))
    }

    @Test("is right about progresses whose parts report from threads of their own")
    func progresses() async {
        let parts = (0..<20).map { URL(fileURLWithPath: "/\($0)") }
        let progress = GuideExamples.download(parts) { _, child in
            DispatchQueue.global().async {
                for count in 1...100 { child.completedUnitCount = Int64(count) }
            }
        }
        while !progress.isFinished { await Task.yield() }
        #expect(progress.completedUnitCount == 20)
    }

    @Test("calls an extension as it says")
    func calls() async throws {
        let provider = NotebookExtension(
            domain: NSFileProviderDomain(identifier: .init("guide"), displayName: "Guide"))
        #expect(try await GuideExamples.item(.rootContainer, of: provider) == "Notebook")
        let service = GuideExamples.VersionService(socket: URL(fileURLWithPath: "/run/notebook"))
        #expect(try service.makeListenerEndpoint().socket.path == "/run/notebook")
        #expect(GuideExamples.type(of: URL(fileURLWithPath: "/a.md")).conforms(to: .plainText))
    }
}
