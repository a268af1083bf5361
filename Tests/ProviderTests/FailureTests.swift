import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Testing
import UniformTypeIdentifiers

@testable import BasketProvider

/// Each exchange of an operation is lost once, before the server has seen it and with its answer; then the
/// system asks again, of another instance. Nothing may be lost by that, and nothing doubled.
@Suite("A change over a network that breaks", .timeLimit(.minutes(60)))
struct FailureTests {
    enum Way: CaseIterable, Sendable {
        case sameInstance, otherInstance
    }

    static let cases = FaultyTransport.Fault.allCases.flatMap { fault in
        Way.allCases.map { (fault, $0) }
    }

    /// Runs `body` once for each of its exchanges, which fails, until it comes through untouched.
    static func breakingEach(
        _ fault: FaultyTransport.Fault, _ way: Way,
        prepare: (Device, Device, ServerConnection) async throws -> TestItem,
        _ body: (Device, TestItem) async throws -> Void,
        check: (ServerConnection, Int) async throws -> Void
    ) async throws {
        try await TestServer.with { server, observer in
            var number = 1
            while true {
                let device = try await Device("laptop", server, retries: .none)
                let other = try await Device("phone", server)
                let item = try await prepare(device, other, observer)
                device.network.fail(number, fault)
                var attempts = 0
                while true {
                    attempts += 1
                    do {
                        try await body(device, item)
                        break
                    } catch  where attempts < 5 {
                        if way == .otherInstance { device.restart() }
                    }
                }
                let isUntouched = device.network.clear()
                try await check(observer, number)
                try await observer.delete("trash", in: "Work", recursive: true)
                for child in try await observer.children(of: "root", in: "Work").items {
                    try await observer.delete(child.id, in: "Work", recursive: true)
                }
                device.provider.invalidate()
                other.provider.invalidate()
                if isUntouched { break }
                number += 1
            }
            #expect(number > 1)
        }
    }

    @Test("makes a file once", arguments: cases, [100, 700_000])
    func creation(_ how: (FaultyTransport.Fault, Way), size: Int) async throws {
        let bytes = someBytes(size, seed: 1)
        try await Self.breakingEach(how.0, how.1) { _, _, _ in
            TestItem("a.txt", id: "1")
        } _: { device, item in
            _ = try await device.create(item, bytes)
        } check: { observer, number in
            let found = try await ConflictTests.contents(observer)
            #expect(found == ["a.txt": bytes], "exchange \(number)")
        }
    }

    @Test("changes name and content once", arguments: cases, [100, 700_000])
    func change(_ how: (FaultyTransport.Fault, Way), size: Int) async throws {
        let bytes = someBytes(size, seed: 2)
        try await Self.breakingEach(how.0, how.1) { device, _, _ in
            let item = try await ChangeTests.file("a.txt", [1], device)
            item.filename = "b.txt"
            return item
        } _: { device, item in
            let reply = try await device.modify(item, [.filename, .contents], bytes)
            #expect(reply.item?.filename == "b.txt")
            #expect(!reply.shouldFetch)
        } check: { observer, number in
            let found = try await ConflictTests.contents(observer)
            #expect(found == ["b.txt": bytes], "exchange \(number)")
        }
    }

    @Test("sends of a long change what is missing, and not all of it again")
    func resumed() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server, retries: .none)
            let item = try await ChangeTests.file("a", someBytes(1000, seed: 1), device)
            let bytes = someBytes(9_000_000, seed: 2)
            // A chunk gets there, and then the line breaks.
            device.network.fail(3, .after, of: "/chunks/")
            await #expect(throws: (any Error).self) {
                try await device.modify(item, .contents, bytes)
            }
            #expect(!device.network.clear())
            device.restart()
            _ = try await device.item(item.itemIdentifier)
            device.network.fail(1_000_000, .before)

            _ = try await device.modify(item, .contents, bytes)

            let sent = device.network.traffic.sent
            #expect(sent < Int64(bytes.count), "\(sent)")
            #expect(try await observer.children(of: "root", in: "Work").items.count == 1)
            #expect(try await device.fetch(item.itemIdentifier).bytes == bytes)
        }
    }

    @Test("keeps one copy of what lost a race", arguments: cases, [100, 700_000])
    func conflict(_ how: (FaultyTransport.Fault, Way), size: Int) async throws {
        let bytes = someBytes(size, seed: 3)
        try await Self.breakingEach(how.0, how.1) { device, other, _ in
            let item = try await ChangeTests.file("a.txt", [1], device)
            _ = try await other.modify(TestItem(of: item), .contents, [2])
            item.contentModificationDate = Date(timeIntervalSince1970: 0)
            return item
        } _: { device, item in
            let reply = try await device.modify(
                item, [.contents, .contentModificationDate], bytes)
            #expect(reply.shouldFetch)
        } check: { observer, number in
            let found = try await ConflictTests.contents(observer)
            #expect(
                found == [
                    "a.txt": [2], "a (conflict from laptop 1970-01-01).txt": bytes,
                ], "exchange \(number)")
        }
    }

    @Test("deletes, moves and trashes once", arguments: cases)
    func places(_ how: (FaultyTransport.Fault, Way)) async throws {
        try await Self.breakingEach(how.0, how.1) { device, _, _ in
            try await ChangeTests.file("a.txt", [1], device)
        } _: { device, item in
            try await device.delete(item)
        } check: { observer, _ in
            let found = try await ConflictTests.contents(observer)
            #expect(found.isEmpty)
        }
        try await Self.breakingEach(how.0, how.1) { device, _, _ in
            let item = try await ChangeTests.file("a.txt", [1], device)
            item.parentItemIdentifier = .trashContainer
            return item
        } _: { device, item in
            let reply = try await device.modify(item, .parentItemIdentifier)
            #expect(reply.item?.parentItemIdentifier == .trashContainer)
        } check: { observer, _ in
            let trash = try await observer.children(of: "trash", in: "Work")
            #expect(trash.items.count == 1)
        }
    }
}
