import BasketSupport

/// Bytes that were nowhere else when their node had to go.
package struct Rescued: Sendable, Equatable {
    /// The number of the file that holds them.
    package let file: Int64
    /// Where they were.
    package let path: String
    package let size: Int64
    package let reason: String
    package let since: Timestamp
}
