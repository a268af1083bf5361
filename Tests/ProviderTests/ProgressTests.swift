import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

@Suite("A call's progress", .timeLimit(.minutes(60)))
struct ProgressTests {
    /// What a progress says whenever something is asked of the server, or has come from it.
    private final class Watch: Sendable {
        private let progress = Mutex<Progress?>(nil)
        private let counts = Mutex<[Int64]>([])

        var seen: [Int64] { counts.withLock { $0 } }

        func follow(_ progress: Progress) { self.progress.withLock { $0 = progress } }

        func look() {
            let count = progress.withLock { $0?.completedUnitCount }
            if let count { counts.withLock { $0.append(count) } }
        }
    }

    private static let size = 8_000_000

    @Test("counts the bytes that the server has got")
    func upload() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let file = try await ChangeTests.file("a", [1], device)
            let watch = Watch()
            device.network.delay { _ in watch.look() }
            let url = try device.file(someBytes(Self.size, seed: 1))
            let progress = Mutex<Progress?>(nil)
            let _: Bool = try await device.answer { done in
                let call = device.provider.modifyItem(
                    file, baseVersion: file.itemVersion, changedFields: .contents, contents: url,
                    options: [], request: NSFileProviderRequest()
                ) { _, _, _, error in done(error, true) }
                watch.follow(call)
                progress.withLock { $0 = call }
            }
            let (total, completed) = try Self.counts(progress)
            #expect(total == Self.size && completed == Self.size)
            #expect(watch.seen == watch.seen.sorted())
            #expect(watch.seen.contains { 0 < $0 && $0 < Self.size })
        }
    }

    @Test("counts the bytes that have come from the server")
    func download() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let bytes = someBytes(Self.size, seed: 2)
            let file = try await ChangeTests.file("a", bytes, device)
            let watch = Watch()
            device.network.afterEachPiece { watch.look() }
            let progress = Mutex<Progress?>(nil)
            let url: URL? = try await device.answer { done in
                let call = device.provider.fetchContents(
                    for: file.itemIdentifier, version: nil, request: NSFileProviderRequest()
                ) { url, _, error in done(error, url) }
                watch.follow(call)
                progress.withLock { $0 = call }
            }
            #expect(try device.take(#require(url)) == bytes)
            let (total, completed) = try Self.counts(progress)
            #expect(total == Self.size && completed == Self.size)
            #expect(watch.seen == watch.seen.sorted())
            #expect(watch.seen.contains { 0 < $0 && $0 < Self.size })
        }
    }

    private static func counts(_ progress: borrowing Mutex<Progress?>) throws -> (Int64, Int64) {
        let counts = progress.withLock { $0.map { ($0.totalUnitCount, $0.completedUnitCount) } }
        return try #require(counts)
    }
}
