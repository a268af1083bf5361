import BasketSupport
import Synchronization

/// How long an upload may count on a chunk that it was told to be there: as long as operators say, and a
/// few minutes only while the disk is short, so that what was deleted makes room. Those who tell and those
/// who collect ask the same object, for a promise holds only if both have the same one in mind.
package final class UploadGrace: Sendable {
    /// While the disk is short.
    package static let short = Duration.seconds(300)

    /// Since when the disk is short.
    private let since = Mutex<Duration?>(nil)
    private let uptime: @Sendable () -> Duration

    package init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    package func note(isDiskShort: Bool) {
        since.withLock { since in since = isDiskShort ? since ?? uptime() : nil }
    }

    package var isDiskShort: Bool { since.withLock { $0 != nil } }

    /// For those who tell that a chunk is there.
    package func telling(_ usual: Duration) -> Duration {
        isDiskShort ? min(usual, Self.short) : usual
    }

    /// For those who take away chunks. Who was told something before the disk became short has his time,
    /// too.
    package func collecting(_ usual: Duration) -> Duration {
        let isShort = since.withLock { $0.map { uptime() - $0 >= Self.short } ?? false }
        return isShort ? min(usual, Self.short) : usual
    }
}
