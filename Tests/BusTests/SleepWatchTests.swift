import BasketBus
import BasketSupport
import Synchronization
import TestSupport
import Testing

@Suite(
    "Who watches for the machine's sleep", .enabled(if: PrivateBus.isPossible),
    .timeLimit(.minutes(2)))
struct SleepWatchTests {
    /// What was heard.
    private final class Heard: Sendable {
        let words = Mutex<[String]>([])
        func note(_ word: String) { words.withLock { $0.append(word) } }
        var all: [String] { words.withLock { $0 } }
    }

    private static func until(_ isTrue: () -> Bool) async throws {
        for _ in 0..<1000 where !isTrue() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isTrue())
    }

    private static func watch(_ bus: PrivateBus, _ heard: Heard) throws -> SleepWatch {
        try SleepWatch(
            bus: bus.address, log: .silent, willSleep: { heard.note("sleeps") },
            didWake: { heard.note("wakes") })
    }

    @Test("has it wait until what must be done is, and again the next time")
    func sleep() async throws {
        let (bus, heard) = (try PrivateBus(), Heard())
        let logind = try #require(FakeLogind(on: bus))
        defer { logind.stop() }
        let watch = try Self.watch(bus, heard)
        try await Self.until { logind.held == 1 }

        for round in 1...2 {
            logind.say(sleeps: true)
            try await Self.until { logind.held == 0 }
            #expect(heard.all.count == 2 * round - 1)
            #expect(heard.all.last == "sleeps")

            logind.say(sleeps: false)
            try await Self.until { logind.held == 1 }
            #expect(heard.all.last == "wakes")
        }

        watch.stop()
        #expect(logind.held == 0)
        #expect(heard.all.count == 4)
    }

    @Test("asks the next one when the one that it had asked is gone")
    func another() async throws {
        let (bus, heard) = (try PrivateBus(), Heard())
        let watch = try Self.watch(bus, heard)
        defer { watch.stop() }
        let first = try #require(FakeLogind(on: bus))
        try await Self.until { first.held == 1 }
        first.stop()
        let second = try #require(FakeLogind(on: bus))
        try await Self.until { second.held == 1 }

        second.say(sleeps: true)
        try await Self.until { heard.all == ["sleeps"] }
        second.stop()
        let third = try #require(FakeLogind(on: bus))
        try await Self.until { third.held == 1 }
        #expect(heard.all == ["sleeps", "wakes"])
        third.stop()
    }

    @Test("is told where there is no bus")
    func noBus() {
        #expect(throws: BusError.self) {
            try SleepWatch(
                bus: "unix:path=/nowhere/bus", log: .silent, willSleep: {}, didWake: {})
        }
    }
}
