import FileProvider
import Foundation

/// Something that the host of an interactive domain would do next. Two are equal that do the same, in the same
/// state of things: so a test finds one again when it lists them the next time.
///
/// Unchecked, because there are others below it: all that any of them has is constant.
package class TestingOperation: NSObject, NSFileProviderTestingOperation, @unchecked Sendable {
    package let type: NSFileProviderTestingOperationType
    let subject: TestingSubject

    init(_ type: NSFileProviderTestingOperationType, _ subject: TestingSubject) {
        self.type = type
        self.subject = subject
    }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TestingOperation else { return false }
        return type == other.type && subject == other.subject
    }

    package override var hash: Int { subject.hashValue }
}
