import CCurl
import Glibc

/// What curl's codes mean.
enum CurlFailure {
    static func error(
        _ code: CURLcode, _ transfer: CurlTransfer, _ certificate: CertificateCheck
    ) -> TransportError {
        let reason =
            transfer.messageText.isEmpty
            ? String(cString: curl_easy_strerror(code)) : transfer.messageText
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL where transfer.phase != .connecting:
            return .notUnderstood(reason)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .nameNotFound(reason)
        case CURLE_COULDNT_CONNECT: return connectFailure(transfer, reason)
        case CURLE_OPERATION_TIMEDOUT:
            // All other times are kept by the engine.
            return .connectTimedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            return certificate.refusal(reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_INITFAILED, CURLE_PROXY,
            CURLE_INTERFACE_FAILED, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return .notConnected(reason)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED:
            return .notUnderstood(reason)
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_BAD_FUNCTION_ARGUMENT:
            return .notSendable(reason)
        default: return .broken(reason)
        }
    }

    private static func connectFailure(
        _ transfer: CurlTransfer, _ reason: String
    ) -> TransportError {
        guard let handle = transfer.handle else { return .notConnected(reason) }
        switch Int32(truncatingIfNeeded: basket_curl_number(handle, CURLINFO_OS_ERRNO)) {
        case ECONNREFUSED: return .refused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: return .noRoute
        case ETIMEDOUT: return .connectTimedOut
        default: return .notConnected(reason)
        }
    }
}
