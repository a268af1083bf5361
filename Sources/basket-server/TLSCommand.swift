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
            sees; it is your server if both are the same. The certificate is made where there is none. One that \
            is there stays, whatever names are set; for another one, remove the folder ‘tls’ of the data, and \
            start the server again.
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
        let tls = ServerTLS(configuration, folder, world)
        let identity = try tls.shown()
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
        let missing = tls.missingNames(in: identity.identity)
        if !missing.isEmpty {
            let names = missing.map { "‘\($0)’" }.joined(separator: ", ")
            let warning = CommandFailure(
                "certificate_names",
                "the certificate was made before, and is not for \(names).\nTo have one that is, \(tls.renewal)."
            )
            console.report(warning, program: "basket-server", asJSON: invocation.has("json"))
        }
        return .success
    }
}
