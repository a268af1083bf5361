import COpenSSL

extension TLSIdentity {
    /// Whether clients that reach the server under this name, or address, find it in the certificate.
    package func isFor(_ name: String) -> Bool {
        basket_is_for(certificatePEM, certificatePEM.count, name) == 1
    }
}
