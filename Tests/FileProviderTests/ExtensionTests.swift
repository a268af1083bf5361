import FileProvider
import Foundation
import Testing

@Suite("An extension")
struct ExtensionTests {
    private let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")
    private let request = NSFileProviderRequest()

    @Test("that leaves out the notifications is notified all the same")
    func noNotifications() async {
        let plain = MinimalExtension(domain: domain)
        await plain.importDidFinish()
        await plain.materializedItemsDidChange()
        await plain.pendingItemsDidChange()
    }

    @Test("may call a handler twice, and is heard once")
    func calledTwice() async {
        let notified = TaskExtension(domain: domain)
        let host: any NSFileProviderReplicatedExtension = notified
        await host.importDidFinish()
        #expect(notified.imports.value == 1)
        await host.materializedItemsDidChange()
        #expect(notified.materialisations.value == 1)
    }

    @Test("answers from a task of its own, and is cancelled by its progress")
    func cancelled() async throws {
        let running = TaskExtension(domain: domain)
        let error = await withCheckedContinuation { continuation in
            let progress = running.item(for: .rootContainer, request: request) { _, error in
                continuation.resume(returning: error)
            }
            progress.cancel()
        }
        #expect((error as? CocoaError)?.code == .userCancelled)
    }

    @Test("reads a template as on Apple's systems")
    func template() async {
        let plain = MinimalExtension(domain: domain)
        let refused = await withCheckedContinuation { continuation in
            _ = plain.createItem(
                basedOn: FullItem(), fields: .filename, contents: nil, options: [],
                request: request
            ) { item, fields, fetch, error in
                continuation.resume(
                    returning: item == nil && error == nil && fields == [] && !fetch)
            }
        }
        #expect(refused)
    }

    @Test("enumerates for an observer, from any task")
    func enumerates() async throws {
        let enumerator = try MinimalExtension(domain: domain)
            .enumerator(for: .rootContainer, request: request)
        let first = NSFileProviderPage.initialPageSortedByDate as NSFileProviderPage
        let names = await withCheckedContinuation { continuation in
            enumerator.enumerateItems(
                for: CollectingObserver { continuation.resume(returning: $0) }, startingAt: first)
        }
        #expect(names == ["200"])
        #expect(await enumerator.currentSyncAnchor() == nil)
    }

    @Test("without change enumeration says that there is none")
    func noChanges() async {
        let failed = await withCheckedContinuation { continuation in
            MinimalEnumerator().enumerateChanges(
                for: CollectingObserver { continuation.resume(returning: $0) },
                from: NSFileProviderSyncAnchor(Data()))
        }
        #expect(failed == ["NSCocoaErrorDomain 3328"])
    }

    @Test("is told on whose behalf it is called")
    func requests() {
        #expect(!request.isSystemRequest)
        #expect(!request.isFileViewerRequest)
        #expect(request.requestingExecutable == nil)
        #expect(request.domainVersion == nil)
        let version = NSFileProviderDomainVersion().next()
        let other = NSFileProviderRequest(isSystemRequest: true, domainVersion: version)
        #expect(other.isSystemRequest)
        #expect(other.domainVersion == version)
    }
}
