import BasketConnection
import BasketModels
import FileProvider
import Testing

@testable import BasketProvider

@Suite("Domains of two servers", .timeLimit(.minutes(60)))
struct TwoServersTests {
    @Test("are each beside their own, whatever becomes of the other one")
    func apart() async throws {
        try await TestServer.with { first, here in
            try await TestServer.with { second, there in
                // As in one process: what they share, they share.
                let events = EventRegistry()
                let home = try await Device("laptop", first, retries: .none, events: events)
                let office = try await Device("laptop", second, retries: .none, events: events)
                try await SessionTests.until {
                    home.network.streams.open == 1 && office.network.streams.open == 1
                }
                let file = try await ChangeTests.file("a", [1], home)
                _ = try await ChangeTests.file("b", [2], office)
                #expect(try await home.list(.rootContainer).items.map(\.filename) == ["a"])
                #expect(try await office.list(.rootContainer).items.map(\.filename) == ["b"])

                await first.stop()

                await #expect { try await home.item(file.itemIdentifier) } throws: {
                    NSFileProviderError(bridging: $0)?.code == .serverUnreachable
                }
                let signals = office.system.signalCount
                _ = try await ChangeTests.file("c", [3], office)
                try await SessionTests.until { office.system.signalCount > signals }
                #expect(!office.system.resolvedErrors.contains(.notAuthenticated))

                let mine = try #require(
                    try await there.devices().first { $0.name == "laptop" })
                try await there.revoke(mine.id)
                try first.start()
                await #expect { try await office.item(.rootContainer) } throws: {
                    NSFileProviderError(bridging: $0)?.code == .notAuthenticated
                }
                #expect(try await home.item(file.itemIdentifier).filename == "a")
                let names = try await here.children(of: "root", in: "Work").items.map(\.name)
                #expect(names == ["a"])
            }
        }
    }
}
