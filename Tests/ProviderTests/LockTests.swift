import BasketConnection
import BasketModels
import FileProvider
import Testing

@testable import BasketProvider

@Suite("Locks", .timeLimit(.minutes(60)))
struct LockTests {
    @Test("are heard of, and told with the next changes")
    func heard() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            _ = try await device.item(.rootContainer)
            try await SessionTests.until {
                device.system.resolvedErrors.contains(.serverUnreachable)
            }
            let anchor = try await device.anchor()
            let session = try #require(device.provider.session)

            _ = try await observer.takeLock(on: item.itemIdentifier.rawValue, in: "Work")
            try await SessionTests.until { session.device.locks.items.count == 1 }
            let told = try await device.changes(since: anchor)
            let locked = try #require(told.items.first as? BasketItem)
            #expect(locked.decorations == [Decoration.locked.identifier])

            try await observer.giveUpLock(on: item.itemIdentifier.rawValue, in: "Work")
            try await SessionTests.until { session.device.locks.items.isEmpty }
            let after = try await device.changes(since: try #require(told.anchor))
            #expect((after.items.first as? BasketItem)?.decorations == [])
        }
    }

    @Test("are told apart where two machines have one name")
    func sameName() async throws {
        try await TestServer.with { server, observer in
            let (one, other) = (
                try await Device("laptop", server), try await Device("laptop", server)
            )
            let item = try await ChangeTests.file("a", [1], one)
            let id = item.itemIdentifier.rawValue
            try await one.perform(.lock, on: [item.itemIdentifier])
            #expect(try #require(one.provider.session).device.marks(of: id).isLockedHere)
            // The stream tells of it as it begins.
            _ = try await other.item(.rootContainer)
            let session = try #require(other.provider.session)
            try await SessionTests.until { session.device.marks(of: id).otherLock != nil }
            #expect(!session.device.marks(of: id).isLockedHere)
        }
    }

    @Test(
        "that were told of are told of when they are given up, also by an instance that began anew")
    func restart() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            _ = try await observer.takeLock(on: item.itemIdentifier.rawValue, in: "Work")
            let before = try #require(try await device.item(item.itemIdentifier) as? BasketItem)
            #expect(before.decorations == [Decoration.locked.identifier])
            let anchor = try await device.anchor()

            device.provider.invalidate()
            try await observer.giveUpLock(on: item.itemIdentifier.rawValue, in: "Work")
            device.restart()
            _ = try await device.item(.rootContainer)
            let session = try #require(device.provider.session)
            try await SessionTests.until { session.device.locks.items.isEmpty }
            let after = try await device.changes(since: anchor)
            #expect((after.items.first as? BasketItem)?.decorations == [])
        }
    }

    @Test(
        "of this device are given up first, and then those of others, where the owner asks for that"
    )
    func forced() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            let id = item.itemIdentifier.rawValue
            _ = try await observer.takeLock(on: id, in: "Work")
            try await device.perform(.lock, on: [item.itemIdentifier])
            #expect(try await observer.locks(on: id, in: "Work").count == 2)

            try await device.perform(.unlock, on: [item.itemIdentifier])
            #expect(try await observer.locks(on: id, in: "Work").map(\.device) == ["observer"])

            try await device.perform(.unlock, on: [item.itemIdentifier])
            #expect(try await observer.locks(on: id, in: "Work").isEmpty)
        }
    }
}
