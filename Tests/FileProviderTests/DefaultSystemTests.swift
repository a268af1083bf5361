import FileProvider
import Foundation
import Testing

/// One after another: there is one default system in a process. Whatever expects that there is none is here
/// as well.
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

    @Test("is missed by each call for a domain that nobody hosts")
    func nobody() async throws {
        let domain = NSFileProviderDomain(identifier: .init("nobody's"), displayName: "Nobody's")
        let manager = try #require(NSFileProviderManager(for: domain))
        let calls: [@Sendable () async throws -> Void] = [
            { try await manager.signalEnumerator(for: .workingSet) },
            { try await manager.signalErrorResolved(NSFileProviderError(.serverUnreachable)) },
            { _ = try await manager.getUserVisibleURL(for: .rootContainer) },
            { try await manager.requestDownloadForItem(withIdentifier: .rootContainer) },
            { try await manager.evictItem(identifier: .rootContainer) },
            { try await manager.reimportItems(below: .rootContainer) },
            {
                try await manager.requestModification(
                    of: .contents, forItemWithIdentifier: .init("a"))
            },
            { try await manager.waitForChanges(below: .rootContainer) },
            { try await manager.waitForStabilization() },
            { try await manager.disconnect(reason: "for a test", options: .temporary) },
            { try await manager.reconnect() },
            { try await manager.register(Progress(), forItemWithIdentifier: .init("a")) },
            { _ = try await manager.service(named: .init("a"), for: .init("a")) },
            { try await manager.releaseKnownFolders(.desktop, localizedReason: "a test") },
            {
                try await manager.requestDiagnosticCollection(
                    for: .init("a"), errorReason: CocoaError(.fileNoSuchFile))
            },
            { _ = try manager.temporaryDirectoryURL() },
            { _ = try manager.stateDirectoryURL() },
            { _ = try manager.listAvailableTestingOperations() },
            { _ = try manager.run([]) },
        ]
        for call in calls {
            await #expect(throws: NSFileProviderError(.providerDomainNotFound)) { try await call() }
        }
        #expect(manager.globalProgress(for: .uploading).isFinished)
        #expect(await manager.enumeratorForMaterializedItems().currentSyncAnchor() == nil)
    }

    @Test("answers for a domain whose own system is gone")
    func gone() {
        let name = NSFileProviderDomainIdentifier("gone")
        do {
            let system = RecordingSystem()
            FileProviderSystems.register(system, for: name)
            #expect(FileProviderSystems.system(of: name) === system)
        }
        #expect(FileProviderSystems.system(of: name) == nil)
        let common = RecordingSystem()
        FileProviderSystems.registerDefault(common)
        defer { FileProviderSystems.registerDefault(nil) }
        #expect(FileProviderSystems.system(of: name) === common)
    }

    @Test("adds, lists and removes domains")
    func domains() async throws {
        let system = RecordingSystem()
        FileProviderSystems.registerDefault(system)
        // The registry itself holds nobody.
        defer { withExtendedLifetime(system) { FileProviderSystems.registerDefault(nil) } }
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
    func refused(name: String) async throws {
        let system = RecordingSystem()
        FileProviderSystems.registerDefault(system)
        // The registry itself holds nobody.
        defer { withExtendedLifetime(system) { FileProviderSystems.registerDefault(nil) } }
        await #expect(throws: POSIXError(.EINVAL)) {
            try await NSFileProviderManager.add(
                NSFileProviderDomain(identifier: .init(name), displayName: "A"))
        }
        #expect(try await NSFileProviderManager.domains().isEmpty)
    }
}
