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

    /// - Parameter hurry: when somebody comes who is not to wait.
    /// - Returns: how long who rests has done so, with changes until then.
    private func rest(
        changesUntil last: Duration, hurry: Duration? = nil, told: Duration? = nil,
        isLongAtFirst: Bool = true,
        after before: Duration = .milliseconds(300), isStallingAtTimes: Bool = false
    ) async -> Duration {
        let (clock, burst) = (clock, burst)
        let pass = { @Sendable (pause: Duration) in
            clock.now.withLock { now in
                let end = now + pause
                while now < end {
                    now += .milliseconds(10)
                    let isStalled =
                        isStallingAtTimes && Int(now / .milliseconds(1)) % 5_000 < 50
                    if now <= last, !isStalled { burst.note(at: now) }
                    if now == hurry { burst.hurry(at: now) }
                    if now == told { burst.noteTold(at: now) }
                }
            }
        }
        pass(before)
        var world = World.live(log: .silent)
        world.uptime = { clock.now.withLock { $0 } }
        world.sleep = { pass($0) }
        let start = world.uptime()
        await burst.rest(world, isLongAtFirst: isLongAtFirst)
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
    func others() async {
        let late = await rest(changesUntil: .seconds(60), told: .seconds(3))
        #expect(late > .seconds(2) && late < .seconds(4))
    }

    @Test("it waits where it is told of what itself has sent just before")
    func echo() async {
        let rest = await rest(changesUntil: .seconds(60), told: .milliseconds(400))
        #expect(rest > .seconds(14) && rest < .seconds(16))
    }

    @Test("it does not wait long where somebody has asked for something as it began")
    func early() async {
        let early = await rest(changesUntil: .seconds(60), hurry: .milliseconds(100))
        #expect(early > .zero && early < .seconds(1))
    }

    @Test("nor before it looks what the provider has to tell")
    func short() async {
        let short = await rest(changesUntil: .seconds(60), isLongAtFirst: false)
        #expect(short > .zero && short < .seconds(1))
    }

    @Test("nor anew where a program has stalled for a moment")
    func stall() async {
        let rest = await rest(
            changesUntil: .seconds(60), after: .seconds(21), isStallingAtTimes: true)
        #expect(rest > .zero && rest < .seconds(1))
    }

    @Test("it does not wait at all for a person")
    func few() async {
        let rest = await rest(changesUntil: .milliseconds(100))
        #expect(rest == .zero)
    }
}
