/// What can be asked of a daemon. Words are added, and never renamed.
package enum DaemonCommand: String, Codable, Sendable, CaseIterable {
    /// Which version is spoken, and what can be asked.
    case hello
    /// Which domains there are, and where each is spoken to.
    case domains
    /// To have a domain hosted from now on, or to bring a known one up to date.
    case add
    /// The same, with a tree that is here already.
    case importTree = "import"
    case remove
    case enable, disable
    /// To end.
    case stop
}
