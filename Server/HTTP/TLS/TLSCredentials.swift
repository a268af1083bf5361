import CMicroHTTPD

/// A TLS identity as GnuTLS uses it.
///
/// Unchecked: nobody changes it once it is loaded, and GnuTLS reads it from any thread. It is never
/// freed, because a handshake may hold it at any time; a server has a new one every few months.
struct TLSCredentials: @unchecked Sendable {
    private let loaded: UnsafeMutablePointer<basket_credentials>

    init(_ identity: TLSIdentity) throws(HTTPServerError) {
        try identity.check()
        let loaded = basket_load_credentials(
            identity.certificatePEM, identity.certificatePEM.count,
            identity.keyPEM, identity.keyPEM.count)
        guard let loaded else { throw .badCertificate("GnuTLS cannot read it") }
        self.loaded = loaded
    }

    /// GnuTLS asks for this with each handshake.
    func fill(
        _ certificates: UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?,
        _ count: UnsafeMutablePointer<UInt32>?, _ key: UnsafeMutablePointer<gnutls_privkey_t?>?
    ) {
        // The first of the array in the structure, which stays where it is.
        certificates?.pointee = UnsafeMutableRawPointer(loaded)
            .assumingMemoryBound(to: gnutls_pcert_st.self)
        count?.pointee = loaded.pointee.count
        key?.pointee = loaded.pointee.key
    }
}
