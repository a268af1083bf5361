import BasketSupport
import Synchronization
import Testing

@testable import FileProviderHost

@Suite("While programs change much")
struct LocalBurstTests {
    private let clock = Clock()
    private let burst = LocalBurst()

    /// Moves on by what somebody sleeps, while a program changes something every ten milliseconds.
    private final class Clock: Sendable {
        let now = Mutex(Duration.zero)
    }

    /// - Parameter signal: when others change something.
    /// - Returns: how long who rests has done so, with changes until then.
    private func rest(changesUntil last: Duration, signal: Duration? = nil) async -> Duration {
        let (clock, burst) = (clock, burst)
        let pass = { @Sendable (pause: Duration) in
            clock.now.withLock { now in
                let end = now + pause
                while now < end {
                    now += .milliseconds(10)
                    if now <= last { burst.note(at: now) }
                    if now == signal { burst.noteSignal(at: now) }
                }
            }
        }
        pass(.milliseconds(300))
        var world = World.live(log: .silent)
        world.uptime = { clock.now.withLock { $0 } }
        world.sleep = { pass($0) }
        let start = world.uptime()
        await burst.rest(world)
        return world.uptime() - start
    }

    @Test("the host waits until they pause")
    func pause() async {
        let rest = await rest(changesUntil: .seconds(5))
        #expect(rest > .seconds(4) && rest < .seconds(5))
    }

    @Test("it does not wait for ever")
    func first() async {
        let rest = await rest(changesUntil: .seconds(60))
        #expect(rest > .seconds(14) && rest < .seconds(16))
    }

    @Test("it does not wait long where others have changed something")
    func signal() async {
        let rest = await rest(changesUntil: .seconds(60), signal: .seconds(3))
        #expect(rest > .seconds(2) && rest < .seconds(4))
    }

    @Test("it waits where it hears of what itself has sent just before")
    func echo() async {
        let rest = await rest(changesUntil: .seconds(60), signal: .milliseconds(400))
        #expect(rest > .seconds(14) && rest < .seconds(16))
    }

    @Test("it does not wait at all for a person")
    func few() async {
        let rest = await rest(changesUntil: .milliseconds(100))
        #expect(rest == .zero)
    }
}
