import BasketContent
import BasketModels
import BasketSupport
import Synchronization

/// Finds out who asks: by a device's token, or by name and password.
package final class Authenticator: Sendable {
    /// Why somebody was not let in.
    package enum Refusal: Error, Equatable, Sendable {
        case wrongCredentials
        case tooManyAttempts(retryAfter: Duration)
    }

    /// A device that just logged in: the only time that its token is seen.
    package struct Session: Sendable {
        package let token: String
        package let identity: Identity
        package let device: Int64
        package let expires: Timestamp?
    }

    private struct KnownToken {
        let identity: Identity
        let expires: Timestamp?
        var noted: Timestamp
    }

    private struct KnownPassword {
        let identity: Identity
        let until: Duration
    }

    private struct Caches {
        var tokens: [ContentHash: KnownToken] = [:]
        var passwords: [ContentHash: KnownPassword] = [:]
        /// Moves with every event that makes something known untrue: what was read before it is
        /// not remembered after it.
        var generation = 0
    }

    /// Who has said the right password, and how that is kept.
    private struct Verified: Sendable {
        let identity: Identity
        let password: String
    }

    /// What begins every token, so that it is recognised when it turns up where it should not.
    private static let tokenPrefix = "bskt_"
    /// A password is hashed anew after this long: hashing is slow on purpose, and curl sends the
    /// password with each request.
    private static let passwordKept = Duration.seconds(300)
    private static let cacheLimit = 10_000
    /// How exactly a device's last use is known.
    private static let useNoted = Duration.seconds(60)

    private let store: Store
    private let throttle: LoginThrottle
    private let caches = Mutex(Caches())
    /// Hashing takes a core for a tenth of a second and 32 MiB: not more of it at once than this
    /// pool has threads.
    private let hashing: (any TaskExecutor)?
    private let secret: [UInt8]
    /// Verified when the account does not exist, so that this takes as long as when it does.
    private let decoy: PasswordHash

    /// What new hashes cost.
    private let cost: PasswordHash.Cost

    /// - Parameters:
    ///   - hashing: where passwords are hashed; nil for the caller's own thread.
    ///   - cost: less than the current one only in tests.
    ///   - network: what a client's address is one of; attempts are counted by that.
    package init(
        store: Store, hashing: (any TaskExecutor)?, cost: PasswordHash.Cost = .current,
        network: @escaping @Sendable (String) -> String = { $0 }
    ) throws {
        self.store = store
        self.hashing = hashing
        self.cost = cost
        throttle = LoginThrottle(uptime: store.world.uptime, network: network)
        secret = store.world.randomBytes(32)
        decoy = try PasswordHash.make(
            password: "", salt: store.world.randomBytes(PasswordHash.saltLength), cost: cost)
        store.hub.observe { [weak self] event in self?.forget(event) }
    }

    // MARK: Tokens

    /// Who bears the token.
    package func identity(token: String) throws -> Identity {
        guard token.hasPrefix(Self.tokenPrefix), token.utf8.count < 100 else {
            throw Refusal.wrongCredentials
        }
        let hash = ContentHash(of: Array(token.utf8))
        let now = store.world.now()
        let (known, generation) = caches.withLock { ($0.tokens[hash], $0.generation) }
        if let known, known.expires.map({ $0 > now }) ?? true {
            if now - known.noted > Self.useNoted { noteUse(of: hash, at: now) }
            return known.identity
        }
        guard let found = try store.read({ try $0.identity(token: hash, at: now) }) else {
            throw Refusal.wrongCredentials
        }
        caches.withLock { caches in
            guard caches.generation == generation else { return }
            if caches.tokens.count >= Self.cacheLimit { caches.tokens = [:] }
            caches.tokens[hash] = KnownToken(
                identity: found.identity, expires: found.expires, noted: found.used)
        }
        return found.identity
    }

    /// Devices whose use should be written down. Taken by the server's housekeeping.
    package func takeUsed() -> [Int64] {
        used.withLock { used in
            defer { used = [] }
            return used.sorted()
        }
    }

    private let used = Mutex<Set<Int64>>([])

    private func noteUse(of hash: ContentHash, at now: Timestamp) {
        let device = caches.withLock { caches -> Int64? in
            caches.tokens[hash]?.noted = now
            return caches.tokens[hash]?.identity.device
        }
        if let device { used.withLock { _ = $0.insert(device) } }
    }

    // MARK: Passwords

    /// Who has the name and the password.
    package func identity(
        name: String, password: String, address: String
    ) async throws -> Identity {
        let key = cacheKey(name, password)
        let now = store.world.uptime()
        let (known, generation) = caches.withLock { ($0.passwords[key], $0.generation) }
        if let known, known.until > now { return known.identity }
        let identity = try await attempt(name, password, address).identity
        caches.withLock { caches in
            guard caches.generation == generation else { return }
            if caches.passwords.count >= Self.cacheLimit { caches.passwords = [:] }
            caches.passwords[key] = KnownPassword(
                identity: identity, until: now + Self.passwordKept)
        }
        return identity
    }

    private func attempt(
        _ name: String, _ password: String, _ address: String
    ) async throws -> Verified {
        let verified: Verified
        do {
            try throttle.admit(account: name, address: address)
            verified = try await verify(name, password, address)
        } catch Refusal.wrongCredentials {
            store.world.log.warning(
                "log-in refused",
                ["audit": .flag(true), "account": .text(name), "address": .text(address)])
            throw Refusal.wrongCredentials
        } catch Refusal.tooManyAttempts(let wait) {
            store.world.log.warning(
                "log-in slowed down",
                [
                    "audit": .flag(true), "account": .text(name), "address": .text(address),
                    "wait": .duration(wait),
                ])
            throw Refusal.tooManyAttempts(retryAfter: wait)
        }
        throttle.succeeded(account: name, address: address)
        return verified
    }

    /// Logs a device in. `lifetime` nil: until it is revoked.
    package func openSession(
        name: String, password: String, device: String, lifetime: Duration?, address: String
    ) async throws -> Session {
        // Never from memory: a log-in is for long.
        let verified = try await attempt(name, password, address)
        return try await openSession(
            for: verified.identity, device: device, lifetime: lifetime, address: address,
            while: verified.password)
    }

    /// - Parameter password: how the password is kept that was verified; nil where none was.
    package func openSession(
        for identity: Identity, device: String, lifetime: Duration?, address: String,
        while password: String? = nil
    ) async throws -> Session {
        let token =
            Self.tokenPrefix + Base64.encode(store.world.randomBytes(32), .url)
        let hash = ContentHash(of: Array(token.utf8))
        let expires = lifetime.map { store.world.now() + $0 }
        let number = try await store.write(as: identity) {
            // Who changes the password while another log-in is verified has logged that out, too.
            if let password, try $0.db.passwordHash(of: identity.account) != password {
                throw Refusal.wrongCredentials
            }
            return try $0.addDevice(device, of: identity.account, token: hash, expires: expires)
        }
        store.world.log.notice(
            "device logged in",
            [
                "audit": .flag(true), "account": .text(identity.accountName),
                "device": .text(device), "address": .text(address),
            ])
        let own = Identity(
            account: identity.account, accountName: identity.accountName, role: identity.role,
            device: number, deviceName: device)
        return Session(token: token, identity: own, device: number, expires: expires)
    }

    /// A password, hashed for keeping.
    package func hash(password: String) async throws -> PasswordHash {
        let salt = store.world.randomBytes(PasswordHash.saltLength)
        return try await aside { [cost] in
            try PasswordHash.make(password: password, salt: salt, cost: cost)
        }
    }

    package static let shortestPassword = 8
    package static let longestPassword = 1024

    package static func check(password: String) throws {
        guard (shortestPassword...longestPassword).contains(password.utf8.count) else {
            throw StoreError.badField(
                field: "password", reason: "\(shortestPassword) to \(longestPassword) bytes")
        }
    }

    /// Counts a failure before the next attempt is looked at: passwords are verified one by one, and of
    /// many guesses that are sent at once, only the first few are.
    private func verify(
        _ name: String, _ password: String, _ address: String
    ) async throws -> Verified {
        guard password.utf8.count <= Self.longestPassword, name.utf8.count <= 255 else {
            throttle.failed(account: name, address: address)
            throw Refusal.wrongCredentials
        }
        // An account that is not there is verified all the same, and takes as long.
        let account = try? store.read { try $0.account(named: name) }
        let stored = try account.flatMap { account in
            try store.read { try $0.passwordHash(of: account.number) }
        }
        let hash = stored.flatMap(PasswordHash.init(encoded:)) ?? decoy
        try await aside { [throttle] in
            try throttle.admit(account: name, address: address)
            guard try hash.verify(password), let account, !account.isDisabled else {
                throttle.failed(account: name, address: address)
                throw Refusal.wrongCredentials
            }
        }
        guard let account else { throw Refusal.wrongCredentials }
        var kept = hash
        if hash.needsRehash(to: cost) {
            guard let renewed = try await rehash(account, hash, password) else {
                // Somebody else has renewed it, or changed it.
                return try await verify(name, password, address)
            }
            kept = renewed
        }
        let identity = Identity(
            account: account.number, accountName: account.name, role: account.role, device: nil,
            deviceName: "")
        return Verified(identity: identity, password: kept.encoded)
    }

    private func rehash(
        _ account: Account, _ old: PasswordHash, _ password: String
    ) async throws -> PasswordHash? {
        let new = try await hash(password: password)
        let isKept = try await store.write {
            try $0.rehash(account.number, from: old.encoded, to: new)
        }
        return isKept ? new : nil
    }

    /// Runs what takes long where it disturbs nobody.
    private func aside<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        guard let hashing else { return try body() }
        return try await withTaskExecutorPreference(hashing) { try await offered(body) }
    }

    @concurrent
    private func offered<Result: Sendable>(
        _ body: @Sendable () throws -> Result
    ) async throws -> Result {
        try body()
    }

    // MARK: Forgetting

    /// Everything is looked up anew: somebody else may have changed it.
    package func forgetEverything() {
        caches.withLock { $0 = Caches(generation: $0.generation + 1) }
    }

    /// Passwords are never kept, not even in memory: what is remembered is that this process has
    /// seen them to be right.
    private func cacheKey(_ name: String, _ password: String) -> ContentHash {
        ContentHash(of: secret + Array(name.utf8) + [0] + Array(password.utf8))
    }

    private func forget(_ event: StoreEvent) {
        caches.withLock { caches in
            switch event {
            case .revoked(let device, _):
                caches.generation += 1
                caches.tokens = caches.tokens.filter { $0.value.identity.device != device }
            case .accountChanged(let account):
                caches.generation += 1
                caches.tokens = caches.tokens.filter { $0.value.identity.account != account }
                caches.passwords = caches.passwords.filter {
                    $0.value.identity.account != account
                }
            default: break
            }
        }
    }
}
