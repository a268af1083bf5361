import BasketContent

/// Stored password hashes: only what was written is read.
enum PasswordHashFuzzer: Fuzzer {
    static let name = "password-hash"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let hash = PasswordHash(encoded: text) else { return }
        guard hash.encoded.utf8.elementsEqual(text.utf8) else {
            throw FuzzFinding("'\(text)' is written as '\(hash.encoded)'")
        }
    }
}
