import BasketSupport

/// A content that only this device had, and in whose place another one was written that is not durable yet.
struct Predecessor: Sendable, Equatable {
    let file: Int64
    let size: Int64
    let modified: Timestamp?
    /// Whether something that was written over it was handed over: the provider may have that, which is newer.
    var isPassed: Bool
}
