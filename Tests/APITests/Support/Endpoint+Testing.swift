import BasketAPI
import BasketHTTP
import Testing

extension Endpoint: CustomTestStringConvertible {
    package var testDescription: String { "\(method.rawValue) \(pattern)" }
}
