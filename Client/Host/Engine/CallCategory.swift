/// What limits how many calls run at once: one line for each kind.
enum CallCategory: Hashable, Sendable, CaseIterable {
    case content
    case metadata
    case download
    /// A part that somebody waits for.
    case reading
}
