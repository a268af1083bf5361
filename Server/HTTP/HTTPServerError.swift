import BasketSupport
import Glibc

/// Why a server does not start.
package enum HTTPServerError: ReportableError, Equatable, CustomStringConvertible {
    case badAddress(String)
    case unknownHost(String, reason: String)
    case cannotListen(String, code: Int32)
    case notListening(descriptor: Int32)
    case badCertificate(String)
    case refusedByLibrary
    case startedTwice

    package var code: String {
        switch self {
        case .badAddress, .unknownHost: "bad_address"
        case .cannotListen, .notListening: "cannot_listen"
        case .badCertificate: "bad_certificate"
        case .refusedByLibrary, .startedTwice: "server_failed"
        }
    }

    package var message: String {
        switch self {
        case .badAddress(let text):
            "'\(text)' is no address to listen on.\nWrite HOST:PORT, as in 127.0.0.1:8080 or [::1]:8080."
        case .unknownHost(let host, let reason):
            "the host '\(host)' cannot be found: \(reason)."
        case .cannotListen(let address, let code):
            "cannot listen on \(address): \(String(cString: strerror(code))).\n" + Self.wayOut(code)
        case .notListening(let descriptor):
            "descriptor \(descriptor) is not a listening socket."
        case .badCertificate(let reason):
            "the certificate or its key cannot be used: \(reason)."
        case .refusedByLibrary:
            "the HTTP library does not start.\nThe process may have too few threads or descriptors."
        case .startedTwice:
            "the server was started already; a stopped server does not start again."
        }
    }

    package var description: String { message }

    private static func wayOut(_ code: Int32) -> String {
        switch code {
        case EADDRINUSE: "Stop what listens there, or choose another port with --listen."
        case EACCES:
            "A port below 1024 takes a privilege: choose another one with --listen, or have systemd open it."
        case EADDRNOTAVAIL:
            "This machine has no such address: choose another one with --listen; 0.0.0.0 is all of them."
        default: "Choose another address with --listen."
        }
    }
}
