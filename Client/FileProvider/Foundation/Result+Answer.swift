import Foundation

extension Result where Failure == any Error {
    /// What a completion handler was called with. Neither a value nor an error is an error too.
    init(_ value: Success?, _ error: (any Error)?) {
        if let value, error == nil {
            self = .success(value)
        } else {
            self = .failure(error ?? CocoaError(.featureUnsupported))
        }
    }
}
