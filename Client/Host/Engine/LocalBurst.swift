import BasketSupport
import Synchronization

/// Knows whether programs change much just now, one thing after the other, as when an archive is unpacked. What the host
/// does by itself meanwhile, it does in few, large steps then: each of a thousand small ones would keep the program waiting.
final class LocalBurst: Sendable {
    private struct State {
        /// When the first of them came, and the last.
        var first = Duration.zero
        var last = Duration.zero
        /// How many have come without a pause.
        var count = 0
        /// When others may have changed something, which nobody here is to see late.
        var signalled: Duration?
    }

    /// A person's own changes are never so many.
    private static let least = 24
    /// Who does nothing for so long has made a pause.
    private static let gap = Duration.milliseconds(30)
    private static let longestRest = Duration.milliseconds(300)
    /// Most are over by then, and what has to be done after them is done once: sending takes as long as unpacking, and on
    /// few cores each keeps the other waiting.
    private static let longestRestAtFirst = Duration.seconds(15)
    /// Whoever rests looks so often whether it is over.
    private static let look = Duration.milliseconds(60)

    /// So long the provider may still tell of what was sent before the burst was known to be one. What it tells later, as
    /// nothing is sent, is others' doing.
    private static let echoes = Duration.seconds(1)

    private let state = Mutex(State())

    /// A program has changed something.
    func note(at now: Duration) {
        state.withLock { state in
            let goesOn = now - state.last < Self.gap
            state.count = goesOn ? state.count + 1 : 1
            if !goesOn { state.first = now }
            state.last = now
        }
    }

    /// The provider has something to tell.
    func noteSignal(at now: Duration) {
        state.withLock { $0.signalled = now }
    }

    func isOn(at now: Duration) -> Bool {
        state.withLock { $0.count >= Self.least && now - $0.last < Self.gap }
    }

    /// Returns at the next pause, and after a while where there is none; at once where nothing of the kind goes on.
    func rest(_ world: World) async {
        let start = world.uptime()
        while isOn(at: world.uptime()), world.uptime() < end(ofRestSince: start) {
            guard (try? await world.sleep(Self.look)) != nil else { return }
        }
    }

    private func end(ofRestSince start: Duration) -> Duration {
        state.withLock { state in
            let end = start + Self.longestRest
            let silence = state.first + Self.echoes
            if let signalled = state.signalled, signalled >= silence { return end }
            return max(end, state.first + Self.longestRestAtFirst)
        }
    }
}
