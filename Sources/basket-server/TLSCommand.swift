import BasketHTTP
import BasketModels
import BasketSupport
import BasketUpkeep

/// `basket-server tls`
enum TLSCommand {
    static let command = Command(
        "tls", summary: "Show the fingerprint of the server's own certificate.",
        details: """
            A client that connects for the first time shows the fingerprint of the certificate that it \
            sees; it is your server if both are the same. The certificate is made where there is none.
            """,
        examples: [
            Command.Example(
                "basket-server tls --data ~/basket", "Its fingerprint, and where it lies."),
            Command.Example(
                "curl --cacert ~/basket/tls/certificate.pem https://nas.local:8443/v1/server",
                "A client that trusts this certificate alone."),
        ],
        options: ServerSettings.options { $0.hasPrefix("tls-") } + [ServerOptions.json]
    ) { invocation, console in
        let configuration = try ServerSettings.resolve(invocation)
        let (folder, world) = try DataPlace.find(invocation)
        let identity = try ServerTLS(configuration, folder, world).shown()
        let fingerprint = identity.identity.fingerprint ?? "unknown"
        if invocation.has("json") {
            console.print(
                JSONText.object { writer in
                    writer.key("fingerprint")
                    writer.string(fingerprint)
                    writer.key("certificate")
                    writer.string(identity.path)
                })
        } else {
            console.print("SHA-256 \(fingerprint)")
            console.print("certificate \(identity.path)")
        }
        return .success
    }
}
