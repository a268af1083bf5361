import BasketSupport
import Synchronization

/// Slows down whoever guesses passwords: by account, and by address. A person who mistypes a few
/// times notices nothing.
final class LoginThrottle: Sendable {
    /// What is remembered of failures with one name or from one address.
    private struct Failures {
        var count = 0
        var last: Duration
    }

    /// So many failures are free; each one more doubles the wait.
    private static let free = 5
    private static let longestWait = Duration.seconds(900)
    /// Beyond this many names, those with the fewest failures are forgotten: a guesser must not fill the
    /// memory, nor have the names forgotten that are guessed at.
    private static let limit = 20_000

    private let failures = Mutex<[String: Failures]>([:])
    private let uptime: @Sendable () -> Duration
    /// What an address is one of: who has many must not have as many attempts for each.
    private let network: @Sendable (String) -> String

    init(
        uptime: @escaping @Sendable () -> Duration, network: @escaping @Sendable (String) -> String
    ) {
        self.uptime = uptime
        self.network = network
    }

    /// How long to wait before another attempt; nil when there is nothing to wait for.
    private func wait(account: String, address: String) -> Duration? {
        let now = uptime()
        return failures.withLock { failures in
            let waits = keys(account, address).compactMap { key -> Duration? in
                guard let entry = failures[key], entry.count >= Self.free else { return nil }
                let remaining = entry.last + Self.penalty(after: entry.count) - now
                return remaining > .zero ? remaining : nil
            }
            return waits.max()
        }
    }

    /// Refuses who has to wait.
    func admit(account: String, address: String) throws(Authenticator.Refusal) {
        if let wait = wait(account: account, address: address) {
            throw .tooManyAttempts(retryAfter: wait)
        }
    }

    func failed(account: String, address: String) {
        let now = uptime()
        failures.withLock { failures in
            if failures.count > Self.limit {
                failures = failures.filter { now - $0.value.last < Self.longestWait }
                if failures.count > Self.limit { failures = Self.worst(of: failures) }
            }
            for key in keys(account, address) {
                var entry = failures[key] ?? Failures(last: now)
                // After a quiet time, the past is forgiven.
                if now - entry.last > Self.longestWait { entry.count = 0 }
                entry.count += 1
                entry.last = now
                failures[key] = entry
            }
        }
    }

    func succeeded(account: String, address: String) {
        failures.withLock { failures in
            for key in keys(account, address) { failures[key] = nil }
        }
    }

    private static func worst(of failures: [String: Failures]) -> [String: Failures] {
        let sorted = failures.sorted {
            ($0.value.count, $0.value.last) > ($1.value.count, $1.value.last)
        }
        return Dictionary(
            uniqueKeysWithValues: sorted.prefix(limit / 2).map { ($0.key, $0.value) })
    }

    private static func penalty(after count: Int) -> Duration {
        min(.seconds(1 << min(count - free, 10)), longestWait)
    }

    /// An address may be that of a whole office: it gets the account's share only together with a
    /// name, and a larger one by itself would need another table.
    private func keys(_ account: String, _ address: String) -> [String] {
        ["account \(account.lowercased())", "address \(network(address))"]
    }
}
