import BasketUpkeep

extension DataFolder {
    /// The certificate that the server made itself, and its key.
    var certificate: String { "\(tls)/certificate.pem" }
    var key: String { "\(tls)/key.pem" }
}
