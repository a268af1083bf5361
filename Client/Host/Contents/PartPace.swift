import FileProviderReplica
import Synchronization

/// How fast parts come: a part is no longer than what comes in a moment. Who waits for bytes in it waits no longer than that,
/// and a line that breaks takes no more with it.
final class PartPace: Sendable {
    private static let moment = 0.25
    /// What is shorter takes as long as a question does, and says nothing of the line.
    private static let shortest: Int64 = 256 << 10

    /// Bytes in a second.
    private let rate = Mutex<Double?>(nil)

    func note(_ bytes: Int64, in time: Duration) {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        guard bytes >= Self.shortest, seconds > 0 else { return }
        let now = Double(bytes) / seconds
        rate.withLock { $0 = $0.map { ($0 + now) / 2 } ?? now }
    }

    /// Of one part.
    func length(_ settings: HostSettings) -> Int64 {
        let most = settings.partLength
        let least = min(settings.leastPartLength, most)
        guard let rate = rate.withLock(\.self) else { return least }
        let length = Int64(min(Double(most), max(Double(least), rate * Self.moment)))
        return max(length / settings.partAlignment, 1) * settings.partAlignment
    }
}
