import COpenSSL

/// What is kept of a password: enough to recognise it, and costly to guess it from. It is scrypt,
/// with its cost and salt stored beside the hash, so that the cost can rise while old ones still work.
///
/// Making and verifying take a tenth of a second and 32 MiB. They block: call them where that is
/// allowed, and only a few at a time.
package struct PasswordHash: Equatable, Sendable {
    /// How much work scrypt does.
    package struct Cost: Equatable, Sendable {
        /// The number of rounds is two to this power.
        package let logRounds: Int
        package let blockSize: Int
        package let parallelism: Int

        /// What new hashes are made with: OWASP's advice of 2023 within 32 MiB.
        package static let current = Cost(logRounds: 15, blockSize: 8, parallelism: 1)
        /// Protects nothing. For tests that log in often.
        package static let insecure = Cost(logRounds: 4, blockSize: 1, parallelism: 1)

        private init(logRounds: Int, blockSize: Int, parallelism: Int) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// Nil for what scrypt does not define, and for what would ask for more than four times the
        /// memory or sixteen times the work of `current`: whoever can write the stored text must not
        /// be able to fell the server with it.
        fileprivate init?(limiting logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
            guard 1...17 ~= logRounds, 1...16 ~= blockSize, 1...4 ~= parallelism,
                logRounds < 16 * blockSize
            else { return nil }
            self.init(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
            guard memory <= 4 * Cost.current.memory else { return nil }
        }

        /// In bytes.
        fileprivate var memory: UInt64 {
            128 * UInt64(blockSize) * ((1 << UInt64(logRounds)) + UInt64(parallelism) + 2)
        }
    }

    /// scrypt found no memory: too many at a time, or a machine in trouble.
    package struct OutOfMemory: Error, Equatable {}

    /// What a new salt should have.
    package static let saltLength = 16
    private static let hashLength = 32
    private static let longestText = 256

    private let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// - Parameter salt: `saltLength` random bytes, new ones for each password.
    package static func make(
        password: String, salt: [UInt8], cost: Cost = .current
    ) throws(OutOfMemory) -> PasswordHash {
        precondition(salt.count == saltLength, "a salt has \(saltLength) bytes")
        let hash = try derive(from: password, salt, cost)
        return PasswordHash(cost: cost, salt: salt, hash: hash)
    }

    package func verify(_ password: String) throws(OutOfMemory) -> Bool {
        constantTimeEquals(try Self.derive(from: password, salt, cost), hash)
    }

    /// Whether it was made with another cost than a new one would be. After a login is the moment to
    /// make it anew, since the password is there.
    package func needsRehash(to cost: Cost = .current) -> Bool {
        self.cost != cost || salt.count != Self.saltLength
    }

    private static func derive(
        from password: String, _ salt: [UInt8], _ cost: Cost
    ) throws(OutOfMemory) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: hashLength)
        let password = Array(password.utf8)
        let done = password.withUnsafeBytes { password in
            EVP_PBE_scrypt(
                password.baseAddress, password.count, salt, salt.count,
                1 << UInt64(cost.logRounds), UInt64(cost.blockSize), UInt64(cost.parallelism),
                cost.memory + 1 << 20, &hash, hash.count)
        }
        guard done == 1 else { throw OutOfMemory() }
        return hash
    }
}

/// The text that is stored: `scrypt$ln=15,r=8,p=1$SALT$HASH`, with salt and hash in base 64 for URLs.
extension PasswordHash {
    package var encoded: String {
        let salt = Base64.encode(salt, .url)
        let hash = Base64.encode(hash, .url)
        return "scrypt$\(cost.encoded)$\(salt)$\(hash)"
    }

    /// Reads what `encoded` wrote, and nothing else.
    package init?(encoded text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "scrypt", let cost = Cost(encoded: parts[1]),
            let salt = Base64.decode(String(parts[2]), .url), 8...64 ~= salt.count,
            let hash = Base64.decode(String(parts[3]), .url), hash.count == Self.hashLength
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }
}

extension PasswordHash.Cost {
    fileprivate var encoded: String { "ln=\(logRounds),r=\(blockSize),p=\(parallelism)" }

    fileprivate init?(encoded text: Substring) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let logRounds = Int(parts[0].dropFirst("ln=".count)),
            let blockSize = Int(parts[1].dropFirst("r=".count)),
            let parallelism = Int(parts[2].dropFirst("p=".count))
        else { return nil }
        self.init(limiting: logRounds, blockSize, parallelism)
        // Also refuses other names, signs and leading zeros.
        guard encoded == text else { return nil }
    }
}
