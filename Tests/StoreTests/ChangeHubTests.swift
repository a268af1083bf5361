import BasketModels
import Synchronization
import Testing

@testable import BasketStore

@Suite("A listener")
struct ChangeHubTests {
    private func anchor(_ rank: Int64) -> Anchor { Anchor(epoch: 1, rank: rank) }

    @Test("hears of its domains and its account, and of a burst only the end")
    func coalesced() {
        let hub = ChangeHub()
        let listener = hub.listen(to: [1, 2], account: 7)
        hub.publish(.changed(domain: 1, anchor(1)))
        hub.publish(.changed(domain: 3, anchor(9)))
        hub.publish(.changed(domain: 2, anchor(5)))
        hub.publish(.changed(domain: 1, anchor(2)))
        hub.publish(.membership(account: 8))
        hub.publish(.membership(account: 7))
        hub.publish(.membership(account: 7))
        #expect(
            listener.take() == [
                .changed(domain: 2, anchor(5)), .changed(domain: 1, anchor(2)),
                .membership(account: 7),
            ])
        #expect(listener.take() == [])
    }

    @Test("misses no revocation, however many locks there were")
    func bounded() {
        let hub = ChangeHub()
        let listener = hub.listen(to: [1], account: 7)
        for item in 0..<10_000 {
            hub.publish(.locked(domain: 1, ItemID(rawValue: Int64(item))))
        }
        hub.publish(.revoked(device: 3, account: 7))
        hub.publish(.changed(domain: 1, anchor(1)))
        let events = listener.take()
        #expect(events.count < 300)
        #expect(
            events.suffix(2) == [.revoked(device: 3, account: 7), .changed(domain: 1, anchor(1))])
    }

    @Test("wakes up when something comes", .timeLimit(.minutes(60)))
    func wakes() async {
        let hub = ChangeHub()
        let listener = hub.listen(to: [1])
        async let events = listener.next()
        hub.publish(.changed(domain: 1, anchor(1)))
        #expect(await events == [.changed(domain: 1, anchor(1))])
    }

    @Test("hears that the server stops, also when it comes late", .timeLimit(.minutes(60)))
    func stopping() async {
        let hub = ChangeHub()
        let early = hub.listen(to: [1])
        async let events = early.next()
        hub.close()
        #expect(await events == [.stopping])
        #expect(hub.listen(to: [2], account: 7).take() == [.stopping])
    }

    @Test("goes on after a wait that was cancelled", .timeLimit(.minutes(60)))
    func cancelled() async {
        let hub = ChangeHub()
        let listener = hub.listen(to: [1])
        for _ in 0..<50 {
            let waiting = Task { await listener.next() }
            await Task.yield()
            waiting.cancel()
            #expect(await waiting.value == [])
        }
        let rounds = Mutex(0)
        let waiting = Task {
            rounds.withLock { $0 += 1 }
            return await listener.next()
        }
        while rounds.withLock({ $0 }) == 0 { await Task.yield() }
        hub.publish(.changed(domain: 1, anchor(1)))
        #expect(await waiting.value == [.changed(domain: 1, anchor(1))])
    }

    @Test("is forgotten when it is let go")
    func released() {
        let hub = ChangeHub()
        do {
            let listener = hub.listen(to: [1], account: 2)
            #expect(hub.listenerCount == 1)
            withExtendedLifetime(listener) {}
        }
        #expect(hub.listenerCount == 0)
    }
}
