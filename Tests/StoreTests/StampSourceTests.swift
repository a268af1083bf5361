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
        let reserved = source.reservation(stored: 0, at: now) ?? 0
        #expect(reserved > last)
        var restarted = StampSource(after: reserved, seed: 1)
        #expect(restarted.isShort(at: now))
        #expect(restarted.next(at: now) > reserved)
    }

    @Test("have room for a hundred in a millisecond")
    func dense() {
        let now = Timestamp(seconds: 1_790_000_000)
        var source = StampSource(after: 0, seed: 1)
        for _ in 0..<10_000 { _ = source.next(at: now) }
        var later = StampSource(after: 0, seed: 2)
        #expect(source.next(at: now) < later.next(at: now + .milliseconds(200)))
    }

    @Test(
        "are written down once, however many transactions are in a group, and again if that is lost"
    )
    func reservations() {
        let now = Timestamp(seconds: 1_790_000_000)
        var source = StampSource(after: 0, seed: 1)
        let first = source.reservation(stored: 0, at: now) ?? 0
        #expect(source.reservation(stored: first, at: now) == nil, "written, not yet committed")
        #expect(source.reservation(stored: 0, at: now) != nil, "rolled back")
        let second = source.reservation(stored: 0, at: now) ?? 0
        source.hold(second)
        #expect(!source.isShort(at: now))
        // Another process was here.
        let third = source.reservation(stored: second + 1000, at: now) ?? 0
        #expect(third > second + 1000)
        #expect(source.next(at: now) > second + 1000)
    }

    @Test("of a restored copy are others than those of the server that it was made from")
    func leap() {
        let now = Timestamp(seconds: 1_790_000_000)
        // A reservation ahead of the clock: both mint by steps.
        var original = StampSource(after: StampSource(after: 0, seed: 9).reservedFarAhead, seed: 1)
        let stored = original.next(at: now)
        var restoring = StampSource(after: stored, seed: 2)
        var copy = StampSource(after: restoring.leap(beyond: stored, at: now), seed: 3)
        let numbers = Set((0..<20_000).map { _ in original.next(at: now) })
        #expect((0..<20_000).allSatisfy { _ in !numbers.contains(copy.next(at: now)) })
        #expect(Set((0..<1000).map { StampSource.named(seed: $0) }).count == 1000)
    }

    @Test("of two processes are all different, and all reserved")
    func together() async throws {
        let fixture = try await StoreFixture()
        func reserved(_ store: Store) throws -> Int64 {
            try store.read { try $0.value("SELECT reserved FROM server") ?? 0 }
        }
        var given: Set<Int64> = []
        var before: Int64 = 0
        for round in 0..<12 {
            let writer = InlineWriter(try Store.openConnection(fixture.folder + "/basket.db"))
            let command = try await Store(
                path: fixture.folder + "/basket.db", writer: writer, world: fixture.store.world)
            for store in [command, fixture.store, command, fixture.store] {
                for _ in 0..<10 {
                    let number = try await store.write { $0.newNumber() }
                    #expect(given.insert(number).inserted)
                }
            }
            command.close()
            let now = try reserved(fixture.store)
            #expect(now >= before && now >= given.max() ?? 0)
            before = now
            fixture.clock.advance(.seconds(round))
        }
        let ahead = Double(before - (given.min() ?? 0)) / Double(60_000 << 22)
        #expect(ahead < 4, "\(ahead) minutes")
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

extension StampSource {
    fileprivate var reservedFarAhead: Int64 {
        var copy = self
        return copy.leap(beyond: 0, at: Timestamp(seconds: 1_790_000_000))
    }

    fileprivate static func named(seed: Int) -> Int64 {
        var source = StampSource(after: 1, seed: UInt64(seed))
        return source.name()
    }
}
