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

    @Test("is seen by others, for as long as it is")
    func presence() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let id = item.itemIdentifier.rawValue
            let document = try device.provider.enumerator(
                for: item.itemIdentifier, request: NSFileProviderRequest())
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
}
