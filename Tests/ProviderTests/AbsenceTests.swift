import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

/// The system removes from the disk what it is told to be gone. So nothing is told to be, unless it is.
@Suite("That an item is gone", .timeLimit(.minutes(60)))
struct AbsenceTests {
    /// Has an item deleted once the device asks for it: it has just heard that it is there.
    private static func delete(
        _ item: String, whenAskedForBy device: Device, _ observer: ServerConnection
    ) {
        let isThere = Mutex(true)
        device.network.delay { target in
            let isNow = isThere.withLock { isThere in
                guard target.hasSuffix("/items/\(item)") else { return false }
                defer { isThere = false }
                return isThere
            }
            if isNow { try await observer.delete(item, in: "Work") }
        }
    }

    @Test("is not said of one whose new name somebody gives up at the same moment")
    func holderGone() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let a = try await ChangeTests.file("a", [1], device).itemIdentifier.rawValue
            let b = try await ChangeTests.file("b", [2], device)
            b.filename = "a"
            Self.delete(a, whenAskedForBy: device, observer)

            let error = await #expect(throws: NSError.self) {
                try await device.modify(b, .filename)
            }

            #expect(NSFileProviderError(bridging: try #require(error)) == nil)
            #expect(try await device.modify(b, .filename).item?.filename == "a")
        }
    }

    @Test("is not said of the folder in which a name is given up at the same moment")
    func holderOfCreationGone() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let a = try await ChangeTests.file("a", [1], device).itemIdentifier.rawValue
            Self.delete(a, whenAskedForBy: device, observer)

            let error = await #expect(throws: NSError.self) {
                try await device.create(TestItem("a", id: "2"), [2])
            }

            #expect(NSFileProviderError(bridging: try #require(error)) == nil)
        }
    }

    @Test("is not said of a file whose conflict copy finds its name given up at the same moment")
    func holderOfCopyGone() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            seen.contentModificationDate = Date(timeIntervalSince1970: 0)
            _ = try await phone.modify(TestItem(of: seen), .contents, [2])
            let copy = try await ChangeTests.file(
                "a (conflict from laptop 1970-01-01).txt", [9], phone
            ).itemIdentifier.rawValue
            Self.delete(copy, whenAskedForBy: laptop, observer)

            let reply = try await laptop.modify(
                seen, [.contents, .contentModificationDate], [3])

            #expect(reply.shouldFetch)
            #expect(
                try await ConflictTests.contents(observer) == [
                    "a.txt": [2], "a (conflict from laptop 1970-01-01).txt": [3],
                ])
        }
    }
}
