import Synchronization
import Testing

@testable import FileProviderDaemon

@Suite("A process that hosts a domain")
struct ProcessWorkTests {
    @Test("says that it is alive while it works")
    func signs() async throws {
        let count = Mutex(0)
        let signs = SignsOfLife(every: .milliseconds(20)) { count.withLock { $0 += 1 } }
        defer { signs.stop() }
        while count.withLock({ $0 }) < 3 {
            let start = ProcessWork.now.time
            while ProcessWork.now.time - start < .milliseconds(20) {}
        }
    }

    @Test(
        "gives memory back once when it has worked and rests, and once more when it has worked again"
    )
    func thrift() async throws {
        let count = Mutex(0)
        let worked = Mutex(Duration.zero)
        let looks = Mutex(0)
        let thrift = Thrift(
            every: .milliseconds(5),
            worked: {
                looks.withLock { $0 += 1 }
                return worked.withLock { $0 }
            }, release: { count.withLock { $0 += 1 } })
        defer { thrift.stop() }
        func look() async throws {
            let seen = looks.withLock { $0 }
            while looks.withLock({ $0 }) < seen + 10 { try await Task.sleep(for: .milliseconds(5)) }
        }
        try await look()
        for round in 1...3 {
            #expect(count.withLock { $0 } == round)
            worked.withLock { $0 += .seconds(1) }
            // Some looks later it has noticed that, and rests.
            try await look()
        }
    }
}
