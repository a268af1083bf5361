/// `POST …/batch`: many small operations in one commit.
package struct BatchRequest: Codable, Sendable {
    package static let mostOperations = 1000

    package var operations: [BatchOperation]
    /// Whether one failure undoes all of them; else each stands for itself.
    package var atomic: Bool?

    package init(operations: [BatchOperation], atomic: Bool? = nil) {
        self.operations = operations
        self.atomic = atomic
    }
}
