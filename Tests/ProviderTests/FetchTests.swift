import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

@Suite("A fetch", .timeLimit(.minutes(60)))
struct FetchTests {
    static func partial(
        _ device: Device, _ item: any NSFileProviderItemProtocol, _ range: NSRange,
        alignment: Int = 4096, options: NSFileProviderFetchContentsOptions = .strictVersioning
    ) async throws -> (url: URL, item: BasketItem, range: NSRange) {
        let version = try #require(item.itemVersion)
        let (url, reply, found) = try await device.answer {
            (done: @escaping Device.Done<(URL, Reply, NSRange)>) in
            _ = device.provider.fetchPartialContents(
                for: item.itemIdentifier, version: version, request: NSFileProviderRequest(),
                minimalRange: range, aligningTo: alignment, options: options
            ) { url, item, range, _, error in
                done(
                    error,
                    (
                        url ?? URL(fileURLWithPath: "/"),
                        Reply(item: item, pending: [], shouldFetch: false), range
                    ))
            }
        }
        return (url, try #require(reply.item as? BasketItem), found)
    }

    @Test(
        "of a part brings it at its place, aligned",
        arguments: [
            (0, 1, 0, 4096), (5000, 10, 4096, 4096), (4095, 2, 0, 8192), (9_999, 1, 8192, 1808),
            (0, 10_000, 0, 10_000), (8192, 100_000, 8192, 1808),
        ])
    func parts(location: Int, length: Int, start: Int, count: Int) async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let bytes = someBytes(10_000, seed: 1)
            let item = try await ChangeTests.file("a", bytes, device)

            let part = try await Self.partial(
                device, item, NSRange(location: location, length: length))

            #expect(part.range == NSRange(location: start, length: count))
            let file = try device.take(part.url)
            #expect(Array(file[start..<start + count]) == Array(bytes[start..<start + count]))
            #expect(part.item.itemVersion == item.itemVersion)
        }
    }

    @Test("of a part of a long file brings no more bytes than that, and a few words")
    func traffic() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let bytes = someBytes(9_000_000, seed: 1)
            let item = try await ChangeTests.file("a", bytes, device)
            device.restart()
            _ = try await device.item(item.itemIdentifier)
            device.network.fail(1_000_000, .before)

            let part = try await Self.partial(
                device, item, NSRange(location: 5_000_000, length: 100_000))

            _ = try device.take(part.url)
            #expect(part.range.length <= 100_000 + 2 * 4096)
            let received = device.network.traffic.received
            #expect(received >= part.range.length)
            #expect(received < part.range.length + 16_384, "\(received)")
        }
    }

    @Test("of a part of an older version brings that one's bytes, and of one that is gone none")
    func versions() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", someBytes(10_000, seed: 1), device)
            _ = try await device.modify(TestItem(of: item), .contents, someBytes(9_000, seed: 2))

            let old = try await Self.partial(device, item, NSRange(location: 0, length: 1))
            #expect(try device.take(old.url) == Array(someBytes(10_000, seed: 1).prefix(4096)))
            #expect(old.item.itemVersion.contentVersion == item.itemVersion.contentVersion)
            #expect(old.item.documentSize == 10_000)

            item.itemVersion = NSFileProviderItemVersion(
                contentVersion: Data("1xc5ysc7z9b4".utf8), metadataVersion: Data())
            await #expect {
                try await Self.partial(device, item, NSRange(location: 0, length: 1))
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .versionNoLongerAvailable
            }
            let newest = try await Self.partial(
                device, item, NSRange(location: 0, length: 1), options: [])
            #expect(newest.item.documentSize == 9_000)
            #expect(try device.take(newest.url) == Array(someBytes(9_000, seed: 2).prefix(4096)))
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("of a part behind the end brings nothing")
    func behindTheEnd() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            for bytes in [[], [1, 2, 3]] as [[UInt8]] {
                let item = try await ChangeTests.file("a \(bytes.count)", bytes, device)

                let part = try await Self.partial(
                    device, item, NSRange(location: 4096, length: 10))

                #expect(part.range == NSRange(location: 4096, length: 0))
                #expect(part.item.documentSize == NSNumber(value: bytes.count))
                _ = try device.take(part.url)
            }
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("of a file that was made without a content brings an empty one")
    func withoutContent() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let made = try await observer.create(
                CreateItemRequest(parent: "root", name: "a", kind: .file), in: "Work")
            let item = TestItem(
                of: try await device.item(NSFileProviderItemIdentifier(made.item.id)))

            let whole = try await device.fetch(item.itemIdentifier)
            #expect(whole.bytes.isEmpty)
            #expect(whole.item.documentSize == 0)
            let part = try await Self.partial(device, item, NSRange(location: 0, length: 10))
            #expect(part.range == NSRange(location: 0, length: 0))
            _ = try device.take(part.url)
            _ = try await device.modify(item, .contents, [1])
            #expect(try await device.fetch(item.itemIdentifier).bytes == [1])
        }
    }

    @Test(
        "of a newer version takes what the older one has, where that is worth asking for",
        arguments: [12_000_000, 5000])
    func incremental(size: Int) async throws {
        try await TestServer.with { server, _ in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            var bytes = someBytes(size, seed: 1)
            let old = try await ChangeTests.file("a", bytes, laptop)
            let existing = try phone.file(bytes)
            bytes[size / 2] ^= 1
            _ = try await laptop.modify(TestItem(of: old), .contents, bytes)
            phone.network.fail(.max, .before, of: "/manifest")

            let (url, reply) = try await phone.answer {
                (done: @escaping Device.Done<(URL, Reply)>) in
                _ = phone.provider.fetchContents(
                    for: old.itemIdentifier, version: nil, usingExistingContentsAt: existing,
                    existingVersion: old.itemVersion, request: NSFileProviderRequest()
                ) { url, item, error in
                    done(
                        error,
                        (
                            url ?? URL(fileURLWithPath: "/"),
                            Reply(item: item, pending: [], shouldFetch: false)
                        ))
                }
            }

            #expect(try phone.take(url) == bytes)
            #expect(reply.item?.documentSize == NSNumber(value: size))
            #expect(phone.network.count == (size == 5000 ? 0 : 1))
        }
    }

    @Test("of what is gone says so, and leaves no file behind")
    func gone() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            try await observer.delete(item.itemIdentifier.rawValue, in: "Work")

            await #expect { try await device.fetch(item.itemIdentifier) } throws: {
                NSFileProviderError(bridging: $0)?.code == .noSuchItem
            }
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("of bytes that are not the item's is none, also when the answer names no hash")
    func garbled() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1, 2], device)
            device.network.garble()

            await #expect(throws: (any Error).self) { try await device.fetch(item.itemIdentifier) }
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("that breaks is a server out of reach, and works again")
    func breaks() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server, retries: .none)
            let item = try await ChangeTests.file("a", [1, 2], device)
            for fault in FaultyTransport.Fault.allCases {
                for number in 1...2 {
                    device.network.fail(number, fault, of: "/items/")
                    await #expect { try await device.fetch(item.itemIdentifier) } throws: {
                        NSFileProviderError(bridging: $0)?.code == .serverUnreachable
                    }
                }
            }
            #expect(try await device.fetch(item.itemIdentifier).bytes == [1, 2])
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("leaves what an instance that died had put there to the next one")
    func leftovers() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let files = server.world.files
            _ = try files.create(device.folder + "/temporary/basket-fetch-1")
            _ = try files.create(device.folder + "/temporary/other")

            device.restart()

            #expect(try device.temporaryFiles == ["other"])
        }
    }

    @Test("brings pictures, and says which items have none")
    func thumbnails() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let a = try await ChangeTests.file("a", [1], device)
            let b = try await ChangeTests.file("b", [1], device)
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
            _ = try await observer.putThumbnail(
                Thumbnail(type: "image/png", bytes: png), of: a.itemIdentifier.rawValue,
                in: "Work")
            let told = Mutex<[NSFileProviderItemIdentifier: Data?]>([:])
            let missing = NSFileProviderItemIdentifier("1xc5ysc7z9b4")
            let failed = Mutex<[NSFileProviderItemIdentifier]>([])

            let _: Bool = try await device.answer { done in
                _ = device.provider.fetchThumbnails(
                    for: [a.itemIdentifier, b.itemIdentifier, missing], requestedSize: .zero
                ) { item, data, error in
                    if error != nil {
                        failed.withLock { $0.append(item) }
                    } else {
                        told.withLock { $0[item] = .some(data) }
                    }
                } completionHandler: {
                    done($0, true)
                }
            }

            #expect(
                told.withLock { $0 } == [a.itemIdentifier: Data(png), b.itemIdentifier: nil])
            #expect(failed.withLock { $0 } == [missing])
        }
    }
}
