import FileProvider
import Foundation
import Testing

/// One after another: there is one default system in a process.
@Suite("The default system", .serialized)
struct DefaultSystemTests {
    @Test("is missed by the calls that concern no domain in particular")
    func missing() async throws {
        let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")
        let folder = URL(fileURLWithPath: "/nowhere")
        let calls: [@Sendable () async throws -> Void] = [
            { try await NSFileProviderManager.add(domain) },
            { try await NSFileProviderManager.remove(domain) },
            { _ = try await NSFileProviderManager.remove(domain, mode: .preserveDirtyUserData) },
            { try await NSFileProviderManager.removeAllDomains() },
            { _ = try await NSFileProviderManager.domains() },
            { try await NSFileProviderManager.import(domain, fromDirectoryAt: folder) },
            { _ = try await NSFileProviderManager.identifierForUserVisibleFile(at: folder) },
            { _ = try NSFileProviderManager.checkDomainsCanBeStoredOnVolume(at: folder) },
            { _ = try await FileManager.default.fileProviderServicesForItem(at: folder) },
        ]
        for call in calls {
            await #expect(throws: NSFileProviderError(.providerNotFound)) { try await call() }
        }
    }

    @Test("adds, lists and removes domains")
    func domains() async throws {
        let system = RecordingSystem()
        FileProviderSystems.registerDefault(system)
        defer { FileProviderSystems.registerDefault(nil) }
        let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")

        try await NSFileProviderManager.add(domain)
        #expect(try await NSFileProviderManager.domains().map(\.displayName) == ["A"])
        #expect(
            try await NSFileProviderManager.remove(domain, mode: .preserveDirtyUserData)?.path
                == "/kept/a")
        #expect(try await NSFileProviderManager.domains().isEmpty)
    }

    @Test(
        "is not even asked to add a domain that cannot be",
        arguments: ["", "a/b", "a:b", "a\0b"])
    func refused(name: String) async {
        let system = RecordingSystem()
        FileProviderSystems.registerDefault(system)
        defer { FileProviderSystems.registerDefault(nil) }
        await #expect(throws: POSIXError(.EINVAL)) {
            try await NSFileProviderManager.add(
                NSFileProviderDomain(identifier: .init(name), displayName: "A"))
        }
        #expect(system.calls.isEmpty)
    }
}
