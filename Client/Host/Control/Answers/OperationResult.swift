/// What came of an operation that was run.
package struct OperationResult: Codable, Sendable, Equatable {
    package var number: Int
    /// Why it failed; nil when it did not.
    package var error: ControlError?

    package init(number: Int, error: ControlError?) {
        self.number = number
        self.error = error
    }
}
