/// Some entries of a list.
package struct Listed<Entry: Codable & Sendable>: Codable, Sendable {
    package var entries: [Entry]
    /// Given as `after`, brings those that follow; nil when there are none.
    package var next: String?

    init(_ entries: [Entry], next: String?) {
        self.entries = entries
        self.next = next
    }
}
