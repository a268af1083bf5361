/// How far a request has come that takes its time.
package struct ControlProgress: Codable, Sendable, Equatable {
    /// How many items are not where they should be.
    package var pending: Int
    package var uploads: TransferState
    package var downloads: TransferState
}
