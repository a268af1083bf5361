/// What a check is looking at.
package enum CheckStage: String, Sendable, CaseIterable {
    case database
    case references
    case contents
    case chunks
    case items
    case tree
    case domains
    case search
    case blobs
    case leftovers
    /// Only when asked to read everything.
    case bytes
}
