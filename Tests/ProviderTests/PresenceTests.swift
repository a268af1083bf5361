import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Testing

@testable import BasketProvider

@Suite("Somebody who has a document open", .timeLimit(.minutes(60)))
struct PresenceTests {
    private static func eventually(_ condition: () async throws -> Bool) async throws {
        // The suite's limit ends it.
        while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Has the device look at a document.
    private static func open(
        _ item: NSFileProviderItemIdentifier, _ device: Device
    ) async throws -> any NSFileProviderEnumerator {
        let document = try device.provider.enumerator(
            for: item, request: NSFileProviderRequest())
        let told: Listing.Told = try await device.answer { done in
            document.enumerateItems(
                for: Listing(size: 10) { result in
                    switch result {
                    case .success(let told): done(nil, told)
                    case .failure(let error): done(error, Listing.Told())
                    }
                },
                startingAt: NSFileProviderPage.initialPageSortedByName as NSFileProviderPage)
        }
        #expect(told.items.isEmpty)
        return document
    }

    @Test("is seen by others, for as long as it is")
    func presence() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let id = item.itemIdentifier.rawValue
            let document = try await Self.open(item.itemIdentifier, device)
            try await Self.eventually {
                try await observer.locks(on: id, in: "Work").map(\.device) == ["laptop"]
            }
            document.invalidate()
            try await Self.eventually { try await observer.locks(on: id, in: "Work").isEmpty }

            // Who has locked it by hand keeps it so.
            try await device.perform(.lock, on: [item.itemIdentifier])
            _ = try await device.list(item.itemIdentifier)
            #expect(try await observer.locks(on: id, in: "Work").count == 1)
        }
    }

    @Test("is not taken for one who has locked it by hand, when its device comes back from a crash")
    func crash() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let id = item.itemIdentifier.rawValue
            _ = try await Self.open(item.itemIdentifier, device)
            try await Self.eventually {
                try await !observer.locks(on: id, in: "Work").isEmpty
            }
            device.restart()
            #expect(try await observer.locks(on: id, in: "Work").count == 1)

            let document = try await Self.open(item.itemIdentifier, device)
            let session = try #require(device.provider.session)
            #expect(session.device.locks.isShown(id))
            // It stays, for as long as somebody looks at it.
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await observer.locks(on: id, in: "Work").count == 1)
            document.invalidate()
            try await Self.eventually { try await observer.locks(on: id, in: "Work").isEmpty }
        }
    }

    @Test("is seen until the last of those who look at it here has closed it")
    func together() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let id = item.itemIdentifier.rawValue
            let first = try await Self.open(item.itemIdentifier, device)
            let second = try await Self.open(item.itemIdentifier, device)
            try await Self.eventually {
                try await !observer.locks(on: id, in: "Work").isEmpty
            }
            let locks = try #require(device.provider.session).device.locks
            first.invalidate()
            #expect(locks.isLookedAt(id))
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await observer.locks(on: id, in: "Work").count == 1)
            second.invalidate()
            try await Self.eventually { try await observer.locks(on: id, in: "Work").isEmpty }
            #expect(!locks.isLookedAt(id))
        }
    }

    @Test("takes nothing, and gives nothing up, while nobody can say whether it was locked by hand")
    func unknown() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let id = item.itemIdentifier.rawValue
            try await device.perform(.lock, on: [item.itemIdentifier])
            let session = try #require(device.provider.session)
            let (asked, asks) = AsyncStream.makeStream(of: Void.self)
            device.network.delay { target in
                guard target.contains("lock") else { return }
                asks.yield()
                throw TransportError.refused
            }
            let look = Task { await DocumentLock(id, session: session).hold() }
            for await _ in asked { break }
            look.cancel()
            await look.value
            device.network.delay(nil)
            #expect(!session.device.locks.isShown(id))
            #expect(!session.device.locks.isLookedAt(id))
            #expect(try await observer.locks(on: id, in: "Work").count == 1)
        }
    }
}
