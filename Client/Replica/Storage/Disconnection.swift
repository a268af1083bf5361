/// Why the provider is not to be called for a while.
package struct Disconnection: Sendable, Equatable {
    /// What a person reads.
    package let reason: String
    package let isTemporary: Bool

    package init(reason: String, isTemporary: Bool) {
        self.reason = reason
        self.isTemporary = isTemporary
    }
}
