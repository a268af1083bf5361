import BasketSupport
import FileProviderReplica
import FolderProvider
import Testing

@testable import FileProviderHost

@Suite("What others do while a program changes much", .timeLimit(.minutes(2)))
struct BurstTests {
    /// Less than the host rests for the program.
    private static let soon = Duration.seconds(5)

    @Test("is seen soon")
    func others() async throws {
        try await FolderStage.play { stage in
            try stage.put("theirs", "old")
            try await stage.settle()
            let node = try await stage.node("theirs")
            let (host, end) = (stage.host, Semaphore())
            let program = Thread(name: "program") {
                while !end.wait(upTo: .milliseconds(2)) { host.noteLocalChange() }
            }
            defer {
                end.signal()
                program.join()
            }
            // Later than what was told of before it began.
            try await Task.sleep(for: .seconds(2))
            #expect(host.isInBurst)
            try stage.put("theirs", "another one")
            stage.provider.look()
            let isSeen = { try host.replica.read { try $0.node(node)?.size } == 11 }
            let start = ContinuousClock.now
            while try !isSeen(), ContinuousClock.now - start < Self.soon {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try isSeen())
        }
    }
}
