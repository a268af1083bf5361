import BasketProvider
import FileProvider
import Foundation
import Testing

/// Parts of long contents, which are held against the hashes of their chunks.
@Suite("A long part", .timeLimit(.minutes(60)))
struct PartFetchTests {
    private static let size = 6_000_001

    @Test("holds what was asked for, aligned, and what comes with it is true")
    func random() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let bytes = someBytes(Self.size, seed: 1)
            let item = try await ChangeTests.file("a", bytes, device)
            var numbers = SystemRandomNumberGenerator()
            for _ in 0..<60 {
                let location = Int.random(in: 0..<Self.size, using: &numbers)
                let length = Int.random(in: 1..<4_000_000, using: &numbers)
                let alignment = [1, 4096, 5000, 1 << 20, 16 << 20].randomElement() ?? 1
                let wanted = NSRange(location: location, length: length)

                let part = try await FetchTests.partial(device, item, wanted, alignment: alignment)

                let found = part.range.location..<part.range.location + part.range.length
                let words: Comment = "\(wanted) by \(alignment): \(part.range)"
                #expect(found.lowerBound <= location, words)
                #expect(found.upperBound >= min(location + length, Self.size), words)
                #expect(found.upperBound <= Self.size, words)
                #expect(found.lowerBound.isMultiple(of: alignment), words)
                #expect(
                    found.upperBound.isMultiple(of: alignment) || found.upperBound == Self.size,
                    words)
                let file = try device.take(part.url)
                #expect(file[found].elementsEqual(bytes[found]), words)
            }
        }
    }

    @Test("with a byte that is not the content's is none")
    func garbled() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", someBytes(Self.size, seed: 1), device)
            let wanted = NSRange(location: 2_000_000, length: 1 << 20)
            device.network.garble()

            await #expect(throws: CocoaError.self) {
                try await FetchTests.partial(device, item, wanted)
            }
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("of a long file brings no more bytes than those of its chunks, and a few words")
    func traffic() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", someBytes(60_000_000, seed: 1), device)
            device.restart()
            _ = try await device.item(item.itemIdentifier)
            device.network.fail(1_000_000, .before)

            let part = try await FetchTests.partial(
                device, item, NSRange(location: 16 << 20, length: 16 << 20))

            _ = try device.take(part.url)
            #expect(part.range.length >= 16 << 20)
            let received = device.network.traffic.received
            #expect(received < (16 << 20) + (8 << 20) + 32_768, "\(received)")
        }
    }

    @Test("of an older version is that one's, and of one that is gone the newest one's or none")
    func versions() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let (older, newer) = (someBytes(Self.size, seed: 1), someBytes(3_000_000, seed: 2))
            let item = try await ChangeTests.file("a", older, device)
            _ = try await device.modify(TestItem(of: item), .contents, newer)
            let wanted = NSRange(location: 1 << 20, length: 1 << 20)
            let place = 1 << 20..<2 << 20

            let old = try await FetchTests.partial(device, item, wanted)
            #expect(try device.take(old.url)[place].elementsEqual(older[place]))
            #expect(old.item.itemVersion.contentVersion == item.itemVersion.contentVersion)
            #expect(old.item.documentSize == NSNumber(value: Self.size))

            item.itemVersion = NSFileProviderItemVersion(
                contentVersion: Data("1xc5ysc7z9b4".utf8), metadataVersion: Data())
            await #expect {
                try await FetchTests.partial(device, item, wanted)
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .versionNoLongerAvailable
            }
            let newest = try await FetchTests.partial(device, item, wanted, options: [])
            #expect(newest.item.documentSize == 3_000_000)
            #expect(try device.take(newest.url)[place].elementsEqual(newer[place]))
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("behind the end of a content, or of none, brings nothing")
    func nothing() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            for bytes in [[], [1, 2, 3]] as [[UInt8]] {
                let item = try await ChangeTests.file("a \(bytes.count)", bytes, device)

                let part = try await FetchTests.partial(
                    device, item, NSRange(location: 4096, length: 2 << 20))

                #expect(part.range == NSRange(location: 4096, length: 0))
                #expect(part.item.documentSize == NSNumber(value: bytes.count))
                _ = try device.take(part.url)
            }
            #expect(try device.temporaryFiles.isEmpty)
        }
    }
}
