import BasketSupport
import Synchronization

/// Has a server announced on the local network for as long as somebody runs this. Where there is no Avahi it waits for
/// one, and all else goes on as ever.
package final class ServerAnnouncer: Sendable {
    private enum Event: Sendable {
        case news(AvahiPublication.News)
        /// Something else is to be announced.
        case changed
    }

    /// After a connection that was lost. Where there is nobody to connect to, more and more seldom.
    private static let shortestPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(600)

    private let wanted: Mutex<ServiceAnnouncement>
    private let waking = Mutex<AsyncStream<Event>.Continuation?>(nil)
    private let world: World

    package init(_ announcement: ServiceAnnouncement, world: World) {
        wanted = Mutex(announcement)
        self.world = world
    }

    /// Announces something else from now on.
    package func announce(_ announcement: ServiceAnnouncement) {
        let isOther = wanted.withLock { wanted in
            defer { wanted = announcement }
            return wanted != announcement
        }
        if isOther { _ = waking.withLock { $0 }?.yield(.changed) }
    }

    /// Works until the task is cancelled; then the announcement is withdrawn. While nothing happens, it sleeps.
    package func run() async {
        var state = Telling(log: world.log)
        var pause = Self.shortestPause
        while !Task.isCancelled {
            let (events, continuation) = AsyncStream.makeStream(of: Event.self)
            // Before what is wanted is read: a change after that wakes.
            waking.withLock { $0 = continuation }
            let publication = AvahiPublication(wanted.withLock { $0 }) {
                continuation.yield(.news($0))
            }
            let wasAnnounced = await announce(by: publication, events, &state)
            publication.close()
            guard let wasAnnounced else { continue }
            pause = wasAnnounced ? Self.shortestPause : min(pause * 2, Self.longestPause)
            // Cancelled, it ends above.
            try? await world.sleep(pause)
        }
    }

    /// Returns when another connection is needed: whether this one was good for anything, and nil where there is
    /// something else to announce.
    private func announce(
        by publication: AvahiPublication, _ events: AsyncStream<Event>, _ telling: inout Telling
    ) async -> Bool? {
        do throws(DiscoveryError) {
            try publication.open()
        } catch {
            switch error {
            case .notRunning: telling.isWaiting()
            case .refused(let why): telling.isRefused(why)
            }
            return false
        }
        var wasGood = false
        for await event in events {
            switch event {
            case .changed: return nil
            case .news(.announced(let name)):
                wasGood = true
                telling.isAnnounced(name)
            case .news(.waiting):
                wasGood = true
                telling.isWaiting()
            case .news(.refused(let why)): telling.isRefused(why)
            case .news(.lost): return wasGood
            }
        }
        return wasGood
    }

    /// Says each thing once, however often it is so.
    private struct Telling {
        let log: Log
        private var last: String?

        init(log: Log) {
            self.log = log
        }

        mutating func isAnnounced(_ name: String) {
            guard isNews("announced \(name)") else { return }
            log.info("announced on the local network", ["name": .text(name)])
        }

        mutating func isWaiting() {
            guard isNews("waiting") else { return }
            log.info(
                "not announced on the local network",
                [
                    "reason": "Avahi does not run here",
                    "remedy": "install avahi-daemon, or serve with --no-announce",
                ])
        }

        mutating func isRefused(_ why: String) {
            guard isNews("refused \(why)") else { return }
            log.warning("not announced on the local network", ["reason": .text(why)])
        }

        private mutating func isNews(_ text: String) -> Bool {
            defer { last = text }
            return last != text
        }
    }
}
