import Glibc

/// Why a server does not start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case badAddress(String)
    case unknownHost(String, reason: String)
    case cannotListen(String, code: Int32)
    case notListening(descriptor: Int32)
    case badCertificate(String)
    case refusedByLibrary
    case startedTwice

    package var description: String {
        switch self {
        case .badAddress(let text):
            "'\(text)' is no address to listen on. Write HOST:PORT, as in 127.0.0.1:8080 or [::1]:8080."
        case .unknownHost(let host, let reason):
            "The host '\(host)' cannot be found: \(reason)."
        case .cannotListen(let address, let code):
            "Cannot listen on \(address): \(String(cString: strerror(code)))."
        case .notListening(let descriptor):
            "Descriptor \(descriptor) is not a listening socket."
        case .badCertificate(let reason):
            "The certificate or its key cannot be used: \(reason)."
        case .refusedByLibrary:
            "The HTTP library does not start: the process may have too few threads or descriptors."
        case .startedTwice:
            "The server was started already; a stopped server does not start again."
        }
    }
}
