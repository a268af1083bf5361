/// Why a text, with what is said of it, is no server that anybody may speak to.
package enum EndpointError: Error, Equatable {
    /// It is no address of an HTTP server.
    case notAnAddress(String)
    /// A certificate is to vouch for the server, and plain HTTP shows none.
    case certificateWithoutTLS(String)
    /// What is sent, and the log-in with it, could be read by everybody on the way.
    case insecure(String)

    /// For people: what is wrong, then what to do about it.
    package var message: String {
        switch self {
        case .notAnAddress(let text):
            "“\(text)” is no address of a server. Write it like https://nas.local:8443."
        case .certificateWithoutTLS(let text):
            "“\(text)” speaks plain HTTP, which shows no certificate: nothing was sent. Write https:// in its place, or take the certificate's SHA-256 out of the settings."
        case .insecure(let text):
            "“\(text)” would have everybody on the way read along, the log-in too: nothing was sent. Write https:// in its place; or allow insecure-http, if you trust everybody between here and there."
        }
    }
}
