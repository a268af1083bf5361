import BasketHTTP
import TestSupport

extension WireAnswer {
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(name, value) }
        return headers
    }
}
