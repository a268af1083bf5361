import BasketSupport
import COpenSSL

/// A server's own certificate, for those who have no other: clients trust it by its fingerprint.
extension TLSIdentity {
    /// Nobody renews it by hand, and it proves nothing but that it is the same server as before.
    private static let lifetime = Duration.seconds(3650 * 86_400)
    /// A client whose clock is behind must not find the certificate too young.
    private static let clockSkew = Duration.seconds(86_400)

    /// - Parameter names: the DNS names and IP addresses under which clients reach the server; the
    ///   first is also the certificate's common name.
    package static func selfSigned(
        names: [String], now: Timestamp
    ) throws(HTTPServerError) -> TLSIdentity {
        guard let first = names.first else {
            throw .badCertificate("a certificate needs at least one name")
        }
        var alternatives: [String] = []
        for name in names { alternatives.append(try alternative(name)) }
        var certificate = basket_pem()
        var key = basket_pem()
        defer {
            // OPENSSL_free is a macro; this is what it calls.
            CRYPTO_free(certificate.bytes, #file, #line)
            CRYPTO_clear_free(key.bytes, key.count, #file, #line)
        }
        let done = basket_self_sign(
            // A common name holds up to 64 characters; clients look at the alternatives.
            String(first.prefix(64)), alternatives.joined(separator: ","),
            (now - clockSkew).seconds, (now + lifetime).seconds, &certificate, &key)
        guard done == 1 else { throw .badCertificate("OpenSSL does not make one") }
        return TLSIdentity(certificatePEM: bytes(certificate), keyPEM: bytes(key))
    }

    /// SHA-256 of the certificate's DER form, as 64 hexadecimal digits; nil where there is no
    /// certificate.
    package var fingerprint: String? {
        var digest = [UInt8](repeating: 0, count: 32)
        guard basket_fingerprint(certificatePEM, certificatePEM.count, &digest) == 1 else {
            return nil
        }
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }

    /// Finds out before the server listens what would fail with each client.
    package func check() throws(HTTPServerError) {
        switch basket_check_identity(
            certificatePEM, certificatePEM.count, keyPEM, keyPEM.count)
        {
        case 1: return
        case 0: throw .badCertificate("the certificate is not PEM")
        case -1: throw .badCertificate("the key is not PEM, or is encrypted")
        default: throw .badCertificate("the key belongs to another certificate")
        }
    }

    /// A comma or a colon in a name would end it and begin another.
    private static func alternative(_ name: String) throws(HTTPServerError) -> String {
        if let address = NetworkAddress(name) { return "IP:\(address)" }
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122: true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"): true
            default: false
            }
        }
        guard isName, (1...253).contains(name.utf8.count) else {
            throw .badCertificate("'\(name)' is neither a DNS name nor an address")
        }
        return "DNS:\(name)"
    }

    private static func bytes(_ pem: basket_pem) -> [UInt8] {
        Array(UnsafeBufferPointer(start: pem.bytes, count: pem.count))
    }
}
