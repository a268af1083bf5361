/// What limits how many calls run at once: one line for each kind.
package enum CallCategory: Int, Sendable, CaseIterable {
    case content = 1
    /// What takes no longer than a change of metadata.
    case smallContent
    case metadata
    case download
    /// What nobody waits for, and takes no longer than a change of metadata.
    case smallDownload
    /// A part that somebody waits for.
    case reading

    /// Those in which local changes stand.
    static let forChanges: [CallCategory] = [.content, .smallContent, .metadata]
}
