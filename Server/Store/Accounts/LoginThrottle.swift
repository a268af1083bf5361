import BasketSupport
import Synchronization

/// Slows down whoever guesses passwords: by account and network together, by network, and, for those who
/// have many networks, by account. A person who mistypes a few times notices nothing, and nobody is kept
/// out by others who has logged in from where he is since the server began.
final class LoginThrottle: Sendable {
    /// What failures are counted by.
    private enum Key: Hashable {
        case pair(account: String, network: String)
        case network(String)
        case account(String)

        /// So many failures are free; each one more doubles the wait.
        var free: Int {
            switch self {
            case .pair: 5
            case .network: 20  // It may be that of a whole office.
            case .account: 100
            }
        }
    }

    /// What is remembered of failures by one key.
    private struct Failures {
        var count = 0
        var last: Duration
    }

    private struct State {
        var failures: [Key: Failures] = [:]
        /// From where somebody logged in, with which account, and when for the last time.
        var welcome: [Key: Duration] = [:]
    }

    private static let longestWait = Duration.seconds(900)
    /// Beyond this many keys, those with the fewest failures are forgotten: a guesser must not fill the
    /// memory, nor have the names forgotten that are guessed at.
    private static let limit = 20_000

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration
    /// What an address is one of: who has many must not have as many attempts for each.
    private let network: @Sendable (String) -> String

    init(
        uptime: @escaping @Sendable () -> Duration, network: @escaping @Sendable (String) -> String
    ) {
        self.uptime = uptime
        self.network = network
    }

    /// Refuses who has to wait.
    func admit(account: String, address: String) throws(Authenticator.Refusal) {
        let now = uptime()
        let keys = keys(account, address)
        let wait = state.withLock { state in
            let isWelcome = state.welcome[keys[0]] != nil
            let waits = keys.compactMap { key -> Duration? in
                // A stranger's guesses, from elsewhere or from the same office, are not his fault.
                if isWelcome, key != keys[0] { return nil }
                guard let entry = state.failures[key], entry.count >= key.free else { return nil }
                let remaining = entry.last + Self.penalty(entry.count - key.free) - now
                return remaining > .zero ? remaining : nil
            }
            return waits.max()
        }
        if let wait { throw .tooManyAttempts(retryAfter: wait) }
    }

    func failed(account: String, address: String) {
        let now = uptime()
        state.withLock { state in
            if state.failures.count > Self.limit {
                state.failures = state.failures.filter { now - $0.value.last < Self.longestWait }
                if state.failures.count > Self.limit {
                    state.failures = Self.worst(of: state.failures)
                }
            }
            for key in keys(account, address) {
                var entry = state.failures[key] ?? Failures(last: now)
                // After a quiet time, the past is forgiven.
                if now - entry.last > Self.longestWait { entry.count = 0 }
                entry.count += 1
                entry.last = now
                state.failures[key] = entry
            }
        }
    }

    /// Forgives the failures with this name from there. Those with other names stay: who has an account
    /// must not be freer to guess at others'.
    func succeeded(account: String, address: String) {
        let now = uptime()
        let pair = keys(account, address)[0]
        state.withLock { state in
            state.failures[pair] = nil
            state.welcome[pair] = now
            guard state.welcome.count > Self.limit else { return }
            let newest = state.welcome.sorted { $0.value > $1.value }.prefix(Self.limit / 2)
            state.welcome = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
        }
    }

    /// By how far they are beyond what is free.
    private static func worst(of failures: [Key: Failures]) -> [Key: Failures] {
        let sorted = failures.sorted {
            ($0.value.count - $0.key.free, $0.value.last)
                > ($1.value.count - $1.key.free, $1.value.last)
        }
        return Dictionary(
            uniqueKeysWithValues: sorted.prefix(limit / 2).map { ($0.key, $0.value) })
    }

    private static func penalty(_ excess: Int) -> Duration {
        min(.seconds(1 << min(excess, 10)), longestWait)
    }

    /// The pair comes first.
    private func keys(_ account: String, _ address: String) -> [Key] {
        let (account, network) = (account.lowercased(), network(address))
        return [
            .pair(account: account, network: network), .network(network), .account(account),
        ]
    }
}
