/// How a domain is.
package struct Status: Codable, Sendable {
    package var isConnected: Bool
    /// Why it is not.
    package var reason: String?
    /// How much is known of the provider's tree: `empty`, `filling`, `verifying`, then `following`.
    package var stage: String
    /// Whether everything that is here is with the provider, and nothing more is to be done.
    package var isSafe: Bool
    /// How many items are not where they should be.
    package var pending: Int
    package var heldRemovals: Int
    /// How many files were kept aside because they are nowhere else.
    package var rescued: Int
    package var bytesHere: Int64
    package var uploads: TransferState
    package var downloads: TransferState
    /// What is on its way.
    package var transfers: [MovingItem]
    /// Why the provider's changes cannot be asked for.
    package var failure: ControlError?
    /// Items that something is wrong with, the longest first.
    package var troubles: [ItemState]
}
