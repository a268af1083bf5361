import FileProvider

/// A removal that has begun. It is noted before each of its steps, and goes on after a crash.
struct DomainRemoval: Codable, Sendable, Equatable {
    enum Step: String, Codable {
        /// What is to be kept is being brought together, where nobody looks. Nothing of the domain is gone yet.
        case gathering
        /// All of it is there, and gets its place; then the domain goes.
        case leaving
    }

    /// Besides what the provider has not got.
    var keepsDownloads: Bool
    var step: Step
    /// Where that is brought together; nil while nothing was begun. The name is nobody else's, so that nothing is
    /// thrown away there which this removal has not made.
    var gathering: String?
    /// Under which name in it lies what could not be imported, once that may have been moved there.
    var notImported: String?
    /// The name under which people find what was kept; nil while nothing is.
    var keptName: String?

    init(_ mode: NSFileProviderManager.DomainRemovalMode) {
        keepsDownloads = mode == .preserveDownloadedUserData
        step = mode == .removeAll ? .leaving : .gathering
    }

    /// What somebody wants who asks again: more may be kept than before, never less.
    func revised(for other: DomainRemoval) -> DomainRemoval {
        guard other.step == .gathering, keptName == nil else { return self }
        var removal = self
        removal.keepsDownloads = other.keepsDownloads || step == .gathering && keepsDownloads
        removal.step = .gathering
        return removal
    }
}
