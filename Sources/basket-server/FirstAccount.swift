import BasketContent
import BasketModels
import BasketStore
import BasketSupport

/// The account of a new server's first evening.
enum FirstAccount {
    /// Makes the administrator where there is no account at all; the password, which is never seen
    /// again.
    static func make(_ store: Store, _ authenticator: Authenticator) async throws -> String? {
        guard try store.read({ try $0.accountCount() }) == 0 else { return nil }
        let password = Self.password(store.world.randomBytes(16))
        let hash = try await authenticator.hash(password: password)
        try await store.write {
            try $0.createAccount(
                "admin", displayName: "Administrator", role: .administrator, quota: nil,
                password: hash)
        }
        return password
    }

    /// Easy to read out: groups of letters and digits that don't look alike, 79 bits.
    static func password(_ bytes: [UInt8]) -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        let letters = bytes.map { alphabet[Int($0) % alphabet.count] }
        return stride(from: 0, to: letters.count, by: 4).map { start in
            String(decoding: letters[start..<start + 4], as: UTF8.self)
        }.joined(separator: "-")
    }
}
