import BasketSupport
import Synchronization

/// Knows whether programs change much just now, one thing after the other, as when an archive is unpacked. What the host
/// does by itself meanwhile, it does in few, large steps then: each of a thousand small ones would keep the program waiting.
final class LocalBurst: Sendable {
    private struct State {
        /// When the last change came.
        var last = Duration.zero
        /// How many have come without a pause.
        var count = 0
        /// When it began, and when the last change came that was one of many. Nil before the first burst.
        var burst: (first: Duration, last: Duration)?
        /// When somebody came last for whom something is to be done soon.
        var hurried: Duration?
        /// When something was told last that is to be done here.
        var told: Duration?
        /// How many wait for what is to be done.
        var waiting = 0
    }

    /// A person's own changes are never so many.
    private static let least = 24
    /// Who does nothing for so long has made a pause.
    private static let gap = Duration.milliseconds(30)
    /// A program that waits for its source, or for the disk, goes on within that time: the burst is the same one.
    private static let quiet = Duration.seconds(5)
    private static let longestRest = Duration.milliseconds(300)
    /// Most are over by then, and what has to be done after them is done once: sending takes as long as unpacking, and on
    /// few cores each keeps the other waiting.
    private static let longestRestAtFirst = Duration.seconds(15)
    /// Whoever rests looks so often whether it is over.
    private static let look = Duration.milliseconds(60)
    /// What was asked for a moment before a burst may not have been done when that began.
    private static let before = Duration.seconds(1)
    /// So long the provider may still tell of what was sent before the burst was known to be one, and is not answered yet.
    /// What it tells later, as nothing is sent, is others' doing.
    private static let echoes = Duration.seconds(1)

    private let state = Mutex(State())

    /// A program has changed something.
    func note(at now: Duration) {
        state.withLock { state in
            state.count = now - state.last < Self.gap ? state.count + 1 : 1
            state.last = now
            guard state.count >= Self.least else { return }
            if let burst = state.burst, now - burst.last < Self.quiet {
                state.burst = (burst.first, now)
            } else {
                state.burst = (now, now)
            }
        }
    }

    /// The provider has told something that is to be done here.
    func noteTold(at now: Duration) {
        state.withLock { $0.told = now }
    }

    /// Somebody has asked for something.
    func hurry(at now: Duration) {
        state.withLock { $0.hurried = now }
    }

    /// Somebody waits for what is to be done.
    func hurrying<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { $0.waiting += 1 }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await body()
    }

    func isOn(at now: Duration) -> Bool {
        state.withLock { $0.count >= Self.least && now - $0.last < Self.gap }
    }

    /// Returns at the next pause, and after a while where there is none; at once where nothing of the kind goes on.
    /// - Parameter isLongAtFirst: whether what is done then would keep the program waiting.
    func rest(_ world: World, isLongAtFirst: Bool = false) async {
        let start = world.uptime()
        let end = start + Self.longestRest
        let longEnd = isLongAtFirst ? max(end, endAtFirst ?? end) : end
        while isOn(at: world.uptime()), world.uptime() < (isHurried ? end : longEnd) {
            guard (try? await world.sleep(Self.look)) != nil else { return }
        }
    }

    private var endAtFirst: Duration? {
        state.withLock { $0.burst.map { $0.first + Self.longestRestAtFirst } }
    }

    private var isHurried: Bool {
        state.withLock { state in
            guard state.waiting == 0, let burst = state.burst else { return true }
            return state.hurried.map { $0 >= burst.first - Self.before } == true
                || state.told.map { $0 >= burst.first + Self.echoes } == true
        }
    }
}
