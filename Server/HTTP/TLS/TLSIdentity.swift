/// A certificate and its key, as PEM.
package struct TLSIdentity: Sendable, Equatable {
    /// The certificate, and after it those that connect it to a known authority.
    package let certificatePEM: [UInt8]
    package let keyPEM: [UInt8]

    /// TLS 1.2 and 1.3 with forward secrecy; no SHA-1, no CBC, no RSA key exchange.
    static let priorities =
        "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA:-AES-128-CBC:-AES-256-CBC:-SHA1"

    package init(certificatePEM: [UInt8], keyPEM: [UInt8]) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }
}
