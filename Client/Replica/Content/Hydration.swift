import BasketSupport

/// Who had contents brought here.
package struct Hydration: Sendable, Equatable {
    package let node: NodeID
    /// Nil when nobody waited for it.
    package let program: String?
    package let bytes: Int64
    package let since: Timestamp
    package let last: Timestamp
}
