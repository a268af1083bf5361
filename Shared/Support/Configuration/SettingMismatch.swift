/// What a text should have been.
package struct SettingMismatch: Error, Equatable, Sendable {
    package let expected: String

    package init(expected: String) {
        self.expected = expected
    }
}
