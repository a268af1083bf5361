import BasketAPI
import BasketContent

/// `Authorization`: a name and a password come through Basic byte for byte, and nothing is taken for a
/// scheme that is none.
enum CredentialsFuzzer: Fuzzer {
    static let name = "credentials"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let read = Credentials(header: text) {
            let scheme = text.utf8.prefix { $0 != UInt8(ascii: " ") }
            guard (5...6).contains(scheme.count), scheme.allSatisfy({ $0 < 0x80 }) else {
                throw FuzzFinding("'\(text)' is taken for \(read)")
            }
        }
        // A name holds no colon, as RFC 7617 has it.
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }.filter { $0 != UInt8(ascii: ":") }
        let pair = name + [UInt8(ascii: ":")] + Array(text.utf8)
        let header = "Basic " + Base64.encode(pair, .standard)
        guard case .password(let readName, let password) = Credentials(header: header),
            readName.utf8.elementsEqual(name), password.utf8.elementsEqual(text.utf8)
        else { throw FuzzFinding("'\(header)' is not the name and the password in it") }
    }
}
