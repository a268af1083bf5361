import Synchronization
import Testing

@testable import BasketConnection

@Suite("How far an upload has come")
struct UploadProgressTests {
    @Test("moves with every step, never goes back, and does not arrive before it is over")
    func steps() {
        let told = Mutex<[Int64]>([])
        let way = UploadProgress(size: 1_600_000) { done in told.withLock { $0.append(done) } }
        func last() -> Int64 { told.withLock { $0.last ?? 0 } }

        way.read(800_000)
        #expect(last() == 50_000)
        way.read(1_600_000)
        #expect(last() == 100_000)
        way.begin()
        way.there(400_000)
        #expect(last() == 450_000)
        way.moving(200_000, of: 400_000)
        way.moving(100_000, of: 1_000_000)
        #expect(last() == 712_500)
        // One of them broke.
        way.moving(0, of: 400_000)
        #expect(last() == 712_500)
        way.arrived(600_000, of: 400_000)
        way.arrived(600_000, of: 1_000_000)
        #expect(last() == 1_500_000)
        var before = last()
        for _ in 1...100 {
            way.waited()
            #expect(last() > before)
            before = last()
        }
        #expect(last() < 1_600_000)
        // All of it is sent once more, and read once more.
        way.begin()
        way.there(1_600_000)
        #expect(last() > before)
        before = last()
        way.waited()
        #expect(last() > before && last() < 1_600_000)
    }
}
