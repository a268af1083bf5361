import Foundation

/// Something that the system would do next. In the testing mode `interactive` it does only what a test runs.
/// What exactly it would do says the protocol that the operation also conforms to.
public protocol NSFileProviderTestingOperation: NSObjectProtocol {
    var type: NSFileProviderTestingOperationType { get }
}
