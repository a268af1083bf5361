import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

/// Calls that are cancelled at any moment, and asked for again until they come through.
@Suite("A call that is cancelled at any moment", .timeLimit(.minutes(60)))
struct CancellationTests {
    /// Counts what it is told of one call.
    private final class Ear: Sendable {
        private let told = Mutex<[(any Error)?]>([])
        private let (heard, hear) = AsyncStream.makeStream(of: Void.self)

        func take(_ error: (any Error)?) {
            told.withLock { $0.append(error) }
            hear.yield()
        }

        func wait() async {
            var iterator = heard.makeAsyncIterator()
            await iterator.next()
        }

        var answers: [(any Error)?] { told.withLock { $0 } }
    }

    private final class Ears: Sendable {
        private let all = Mutex<[Ear]>([])

        func add(_ ear: Ear) { all.withLock { $0.append(ear) } }

        var list: [Ear] { all.withLock { $0 } }
    }

    private static func size(_ number: Int) -> Int { [10, 70_000, 600_000][number % 3] }

    /// Begins a call, and cancels it after a while.
    private static func attempt(
        after pause: Duration, _ begin: (Ear) -> Progress
    ) async throws -> Ear {
        let ear = Ear()
        let progress = begin(ear)
        if pause > .zero {
            try await Task.sleep(for: pause)
        }
        progress.cancelAtOnce()
        await ear.wait()
        return ear
    }

    @Test("is answered once, makes nothing twice, and leaves no file behind", arguments: [1, 2, 3])
    func anyMoment(seed: UInt64) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            _ = try await device.item(.rootContainer)
            let ears = Ears()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<45 {
                    if number >= 8 { try await group.next() }
                    group.addTask {
                        let item = TestItem("file \(number)", id: "\(number)")
                        let bytes = someBytes(Self.size(number), seed: UInt64(number))
                        let url = try device.file(bytes)
                        for round in 0..<4 {
                            let micros = (UInt64(number + round) &* 0x9E37_79B9 &* seed) % 12_000
                            let ear = try await Self.attempt(after: .microseconds(micros)) { ear in
                                device.provider.createItem(
                                    basedOn: item,
                                    fields: [.filename, .parentItemIdentifier, .contents],
                                    contents: url, options: [], request: NSFileProviderRequest()
                                ) { _, _, _, error in ear.take(error) }
                            }
                            ears.add(ear)
                        }
                        let made = try await device.create(item, bytes)
                        let id = try #require(made.item?.itemIdentifier)
                        for round in 0..<4 {
                            let micros = (UInt64(number + round) &* 0x85EB_CA6B &* seed) % 12_000
                            let ear = try await Self.attempt(after: .microseconds(micros)) { ear in
                                device.provider.fetchContents(
                                    for: id, version: nil, request: NSFileProviderRequest()
                                ) { url, _, error in
                                    if let url { _ = try? device.take(url) }
                                    ear.take(error)
                                }
                            }
                            ears.add(ear)
                        }
                        #expect(try await device.fetch(id).bytes == bytes)
                    }
                }
                try await group.waitForAll()
            }

            let found = try await ConflictTests.contents(observer)
            #expect(found.count == 45)
            for number in 0..<45 {
                let bytes = someBytes(Self.size(number), seed: UInt64(number))
                #expect(found["file \(number)"] == bytes)
            }
            try await SessionTests.until { try device.temporaryFiles.isEmpty }
            for ear in ears.list {
                #expect(ear.answers.count == 1)
                let error = ear.answers[0].map { $0 as NSError }
                #expect(error == nil || error?.code == CocoaError.userCancelled.rawValue)
            }
        }
    }
}
