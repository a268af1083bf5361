import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Testing

@testable import BasketProvider

/// Something on the way to the server changes what is sent. What the extension answers has bytes released here:
/// it must not answer before the server has named the hash of just what was sent.
@Suite("A content of which the server has other bytes", .timeLimit(.minutes(60)))
struct OtherBytesTests {
    private static let right = someBytes(600, seed: 1)
    private static let wrong = someBytes(600, seed: 2)

    @Test("is not believed to be there when it was made, and is sent again")
    func creation() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let file = TestItem("a", id: "1")
            device.network.swap(Self.right, for: Self.wrong, times: 1)
            await #expect(throws: (any Error).self) { try await device.create(file, Self.right) }
            #expect(try await ConflictTests.contents(observer) == ["a": Self.wrong])

            let reply = try await device.create(file, Self.right)

            #expect(try await ConflictTests.contents(observer) == ["a": Self.right])
            #expect(!reply.shouldFetch)
        }
    }

    @Test("is sent again over that", arguments: [600, 70_000])
    func change(size: Int) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let (right, wrong) = (someBytes(size, seed: 1), someBytes(size, seed: 2))
            device.network.swap(right, for: wrong, times: 1)

            let reply = try await device.modify(item, [.contents], right)

            #expect(!reply.shouldFetch)
            #expect(try await ConflictTests.contents(observer) == ["a": right])
        }
    }

    @Test("is not lost, however often that happens")
    func again() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            device.network.swap(Self.right, for: Self.wrong, times: 2)
            await #expect(throws: (any Error).self) {
                try await device.modify(item, [.contents], Self.right)
            }

            _ = try await device.modify(item, [.contents], Self.right)

            #expect(try await ConflictTests.contents(observer).values.contains(Self.right))
        }
    }

    @Test("is not believed to be kept beside another one")
    func conflict() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let other = try await Device("phone", server)
            let item = try await ChangeTests.file("a", [1], device)
            _ = try await other.modify(item, [.contents], [2])
            device.network.swap(Self.right, for: Self.wrong, times: 1, of: "/batch")
            await #expect(throws: (any Error).self) {
                try await device.modify(item, [.contents], Self.right)
            }

            _ = try await device.modify(item, [.contents], Self.right)

            let found = try await ConflictTests.contents(observer)
            #expect(found["a"] == [2])
            #expect(found.values.contains(Self.right))
        }
    }
}
