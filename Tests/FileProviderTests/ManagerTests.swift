import FileProvider
import Foundation
import Testing

@Suite("A manager")
struct ManagerTests {
    private let domain = NSFileProviderDomain(
        identifier: .init("nobody's"), displayName: "Nobody's")

    @Test("of a domain that nobody hosts fails each call with that")
    func noSystem() async throws {
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

    @Test("asks the system that the domain came from, whoever else is registered")
    func ownSystem() async throws {
        let registered = RecordingSystem()
        let own = RecordingSystem()
        let name = NSFileProviderDomainIdentifier("of two systems")
        FileProviderSystems.register(registered, for: name)
        defer { FileProviderSystems.register(nil, for: name) }
        let record = DomainRecord(identifier: name, displayName: "Two")
        let plain = try #require(
            NSFileProviderManager(for: NSFileProviderDomain(identifier: name, displayName: "Two")))
        let attached = try #require(
            NSFileProviderManager(for: NSFileProviderDomain(record: record, system: own)))

        try await plain.signalEnumerator(for: .workingSet)
        try await attached.evictItem(identifier: .init("a"))

        #expect(registered.calls == ["signal of two systems"])
        #expect(own.calls == ["evict a"])
    }

    @Test("tells what the system answers")
    func answers() async throws {
        let system = RecordingSystem()
        let record = DomainRecord(identifier: .init("answers"), displayName: "Answers")
        let manager = try #require(
            NSFileProviderManager(for: NSFileProviderDomain(record: record, system: system)))

        #expect(try await manager.getUserVisibleURL(for: .init("a")).path == "/seen/a")
        await #expect(throws: NSFileProviderError(.noSuchItem)) {
            try await manager.evictItem(identifier: .init("missing"))
        }
        try await manager.requestDownloadForItem(
            withIdentifier: .init("a"), requestedRange: NSRange(location: NSNotFound, length: 0))
        try await manager.requestDownloadForItem(
            withIdentifier: .init("a"), requestedRange: NSRange(location: 4, length: 8))
        #expect(system.calls == ["evict missing", "download all", "download 4+8"])
    }

    @Test("forgets a system that is gone")
    func gone() {
        let name = NSFileProviderDomainIdentifier("gone")
        do {
            let system = RecordingSystem()
            FileProviderSystems.register(system, for: name)
            #expect(FileProviderSystems.system(of: name) === system)
        }
        #expect(FileProviderSystems.system(of: name) == nil)
    }
}
