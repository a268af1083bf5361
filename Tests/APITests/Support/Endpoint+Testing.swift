import BasketAPI
import Testing

extension Endpoint: @retroactive CustomTestStringConvertible {
    public var testDescription: String { "\(method.rawValue) \(pattern)" }
}
