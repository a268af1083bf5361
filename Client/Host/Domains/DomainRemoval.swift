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
    /// The name under which people find what was kept; nil while nothing is.
    var keptName: String?

    init(_ mode: NSFileProviderManager.DomainRemovalMode) {
        keepsDownloads = mode == .preserveDownloadedUserData
        step = mode == .removeAll ? .leaving : .gathering
    }
}
