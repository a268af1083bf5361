import BasketContent

/// What makes two requests the same one.
package struct IdempotencyKey: Sendable, Equatable {
    package let key: String
    /// Of everything that decides what the request does: the same key with another fingerprint is a
    /// mistake of the sender, and refused.
    package let fingerprint: ContentHash

    package init(key: String, fingerprint: ContentHash) {
        self.key = key
        self.fingerprint = fingerprint
    }
}
