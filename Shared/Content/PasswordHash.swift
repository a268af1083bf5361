package struct PasswordHash: Sendable, Hashable {
    package var encoded: String
    package init?(encoded: String) { self.encoded = encoded }
    package static func make(password: String, salt: [UInt8]) -> PasswordHash {
        PasswordHash(encoded: password)!
    }
    package func verify(_ password: String) -> Bool { encoded == password }
    package var needsRehash: Bool { false }
}
