import FileProvider
import Foundation
import Testing

@Suite("A manager")
struct ManagerTests {
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
}
