import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Synchronization
import Testing

@testable import BasketStore

@Suite("The numbers that the store mints")
struct StampSourceTests {
    @Test("always rise, also when the clock is set back, and after a restart")
    func rise() {
        var source = StampSource(after: 0, seed: 1)
        var last: Int64 = 0
        var now = Timestamp(seconds: 1_790_000_000)
        for step in 0..<10_000 {
            if step == 5000 { now = now - .seconds(3600) }
            if step % 7 == 0 { now = now + .milliseconds(1) }
            let next = source.next(at: now)
            #expect(next > last)
            last = next
        }
        let reserved = source.neededReservation()
        #expect((reserved ?? 0) > last)
        var restarted = StampSource(after: reserved ?? 0, seed: 1)
        #expect(restarted.next(at: now) > last)
        #expect(restarted.neededReservation() != nil)
    }

    @Test("are not given again by a store that is opened anew")
    func reopened() async throws {
        let fixture = try await StoreFixture()
        var last = try await fixture.store.write { $0.newNumber() }
        for _ in 0..<3 {
            let writer = InlineWriter(try Store.openConnection(fixture.folder + "/basket.db"))
            let again = try await Store(
                path: fixture.folder + "/basket.db", writer: writer, world: fixture.store.world)
            let next = try await again.write { $0.newNumber() }
            #expect(next > last)
            last = next
            again.close()
        }
    }
}
