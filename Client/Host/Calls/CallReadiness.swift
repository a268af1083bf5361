/// Whether the extension may be called.
enum CallReadiness: Sendable {
    case ready
    /// What is here is being put in order: what the provider calls things is not known before that is done.
    case settling
    /// The extension has said so itself.
    case disconnected
}
