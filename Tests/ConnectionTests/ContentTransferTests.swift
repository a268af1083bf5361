import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import Synchronization
import Testing

@Suite("Contents on their way", .timeLimit(.minutes(60)))
struct ContentTransferTests {
    private static func upload(
        _ bytes: [UInt8], to item: String? = nil, _ ada: ServerConnection
    ) async throws -> ItemInfo {
        let scratch = try ScratchFile(bytes)
        let upload = ContentUpload(
            ada, domain: "Work", OutgoingFile(scratch.file, size: Int64(bytes.count)))
        if let item { return try await upload.replace(item, base: .any).item }
        return try await upload.create(
            CreateItemRequest(parent: "root", name: "film", kind: .file)
        ).item
    }

    @Test(
        "come back as they were sent, large and small",
        arguments: [0, 1, 65_536, 65_537, 524_288, 524_289, 9_000_000])
    func roundTrip(size: Int) async throws {
        try await TestServer.with { ada, _ in
            let bytes = someBytes(size, seed: UInt64(size))
            let item = try await Self.upload(bytes, ada)
            #expect(item.sha256 == ContentHash(of: bytes) && item.size == Int64(size))
            let changed = try await Self.upload(bytes + [1], to: item.id, ada)
            #expect(changed.sha256 == ContentHash(of: bytes + [1]))

            let scratch = try ScratchFile()
            let received = try await ada.download(
                item.id, in: "Work", version: item.contentVersion, into: scratch.file)
            #expect(received.hash == ContentHash(of: bytes) && received.size == Int64(size))
            #expect(try scratch.bytes() == bytes)
            guard size > 10 else { return }
            let part = try ScratchFile()
            let range = try await ada.download(
                item.id, in: "Work", version: item.contentVersion, range: 3..<Int64(size) + 99,
                into: part.file, at: -3)
            #expect(range.size == Int64(size) && range.hash == nil)
            #expect(try part.bytes() == Array(bytes[3...]))
        }
    }

    @Test("go on after each break where they were, in the version that they began with")
    func breaks() async throws {
        let bytes = someBytes(4_000_000, seed: 9)
        let network = BreakingTransport(
            [1_000_000, 5, 1_500_000, 1].map { ("GET", "/content", $0) })
        let policy = RetryPolicy(
            mostAttempts: 2, shortestWait: .milliseconds(1), longestWait: .milliseconds(2))
        try await TestServer.with(retries: policy, network: network) { ada, _ in
            let item = try await Self.upload(bytes, ada)
            let scratch = try ScratchFile()
            var isFirst = true
            let received = try await ada.receiveContent(of: item.id, in: "Work") { offset, bytes in
                try scratch.file.write(bytes, at: offset)
                if isFirst {
                    isFirst = false
                    _ = try await ada.putContent(
                        .bytes([1]), of: item.id, in: "Work", base: .any)
                }
            }
            #expect(received.version == item.contentVersion)
            #expect(received.hash == ContentHash(of: bytes))
            #expect(try scratch.bytes() == bytes)
            let ranges = network.requests("/content")
                .filter { $0.method == "GET" }
                .map { $0.headers.first { $0.name == "Range" }?.value }
            #expect(
                ranges == [
                    nil, "bytes=1000000-3999999", "bytes=1000005-3999999", "bytes=2500005-3999999",
                    "bytes=2500006-3999999",
                ])
        }
    }

    @Test("that are not what their hash names are refused")
    func wrongHash() async throws {
        try await TestServer.with { ada, _ in
            let item = try await Self.upload([1, 2, 3], ada)
            let scratch = try ScratchFile()
            do throws(ConnectionError) {
                _ = try await ada.download(
                    item.id, in: "Work", expecting: ContentHash(of: [1, 2]), into: scratch.file)
                Issue.record("they were taken")
            } catch {
                guard case .badAnswer = error else { throw error }
            }
        }
    }

    @Test("that differ a little travel a little, in both directions")
    func delta() async throws {
        let bytes = someBytes(24_000_000, seed: 10)
        var changed = bytes
        changed.insert(42, at: 10_000_000)
        let network = BreakingTransport()
        try await TestServer.with(network: network) { ada, _ in
            let item = try await Self.upload(bytes, ada)
            let before = network.requests("/chunks/").filter { $0.method == "PUT" }.count
            #expect(before > 10)
            let newer = try await Self.upload(changed, to: item.id, ada)
            let sent = network.requests("/chunks/").filter { $0.method == "PUT" }
                .dropFirst(before)
            #expect((1...2).contains(sent.count))

            let older = try ScratchFile(bytes)
            let target = try ScratchFile()
            let outcome = try await ContentDownload(ada, domain: "Work", item: item.id).run(
                into: target.file, older: (older.file, Int64(bytes.count)))
            #expect(outcome.version == newer.contentVersion)
            #expect(outcome.fetchedBytes < 9 << 20)
            #expect(try target.bytes() == changed)

            let whole = try ScratchFile()
            let all = try await ContentDownload(ada, domain: "Work", item: item.id).run(
                into: whole.file)
            #expect(all.fetchedBytes == Int64(changed.count))
            #expect(try whole.bytes() == changed)
        }
    }

    @Test("are seen to move while a file is read, before anything is sent")
    func readingProgress() async throws {
        try await TestServer.with { ada, _ in
            let bytes = someBytes(5_000_000, seed: 11)
            let item = try await Self.upload(bytes, ada)
            let scratch = try ScratchFile(bytes)
            let told = Mutex<[Int64]>([])

            _ = try await ContentUpload(
                ada, domain: "Work",
                OutgoingFile(scratch.file, size: Int64(bytes.count)) { progress in
                    told.withLock { $0.append(progress) }
                }
            ).replace(item.id, base: .any)

            #expect(told.withLock { $0.first } == 1 << 16)
            #expect(told.withLock { $0.last } == Int64(bytes.count) / 16 * 15)
        }
    }

    @Test("are seen to move while a file is read, before anything comes and after all has come")
    func readingBesideDownload() async throws {
        try await TestServer.with { ada, _ in
            let bytes = someBytes(5_000_000, seed: 12)
            let size = Int64(bytes.count)
            let item = try await Self.upload(bytes, ada)
            for older in [bytes, [1, 2, 3]] {
                let (known, target) = (try ScratchFile(older), try ScratchFile())
                let told = Mutex<[Int64]>([])

                let outcome = try await ContentDownload(ada, domain: "Work", item: item.id).run(
                    into: target.file, older: (known.file, Int64(older.count))
                ) { progress in told.withLock { $0.append(progress) } }

                #expect(outcome.fetchedBytes == (older == bytes ? 0 : size))
                let steps = told.withLock { $0 }
                #expect(steps == steps.sorted())
                #expect(try #require(steps.first) <= size / 16)
                #expect(steps.last == size)
                // No part of the way is a large one.
                #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 - $0 < size / 2 }, "\(steps)")
                #expect(steps.filter { $0 > size / 16 * 15 }.count >= 4, "\(steps)")
            }
        }
    }

    @Test("go on after a chunk was lost, with what is missing")
    func resumedUpload() async throws {
        let bytes = someBytes(12_000_000, seed: 11)
        try await TestServer.with(
            retries: RetryPolicy(mostAttempts: 1),
            network: BreakingTransport([("PUT", "/chunks/", 0)])
        ) { ada, _ in
            do {
                _ = try await Self.upload(bytes, ada)
                Issue.record("nothing broke")
            } catch let error as ConnectionError {
                guard case .unreachable(.broken) = error else { throw error }
            }
            let first = Mutex<Int64?>(nil)
            let scratch = try ScratchFile(bytes)
            let item = try await ContentUpload(
                ada, domain: "Work",
                OutgoingFile(scratch.file, size: Int64(bytes.count)) { done in
                    first.withLock { $0 = $0 ?? done }
                }
            ).create(CreateItemRequest(parent: "root", name: "film", kind: .file)).item
            #expect(item.sha256 == ContentHash(of: bytes))
            // Even what was sent when the answer was lost is there.
            #expect(try #require(first.withLock { $0 }) > 0)
        }
    }
}
