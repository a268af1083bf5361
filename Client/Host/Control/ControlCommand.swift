/// What can be asked of a domain's host. Words are added, and never renamed.
package enum ControlCommand: String, Codable, Sendable, CaseIterable {
    /// Which version is spoken, and what can be asked.
    case hello
    /// How the domain is, as a whole.
    case status
    /// Everything that is known of one item.
    case why
    /// What lies in a folder, as far as it is known here.
    case children
    /// The actions that are offered for items, and having one done.
    case actions, perform
    /// How an item is marked.
    case decorations
    /// Pictures of items, from the provider.
    case thumbnails
    /// What a person is asked before doing something, and whether they want to be asked again.
    case interactions, suppress
    /// The services for an item, and where one listens.
    case services, service
    /// What is on this device, and what waits.
    case materialised, pending
    /// Which files' bytes are here, and why they stay.
    case cache
    /// Who had bytes brought here.
    case hydrations
    /// What was kept aside because it is nowhere else.
    case rescued
    case pin, unpin, download, evict
    /// Not to ask the provider for anything, and to do so again.
    case pause, resume
    /// To ask the provider now for what has changed.
    case look
    /// Removals that are held back because they are many: which, that they are meant, and that they are not.
    case removals
    case applyRemovals = "apply-removals"
    case undoRemovals = "undo-removals"
    /// In the interactive testing mode: what would be done next, and doing it.
    case operations, run
    case search
    /// Whether all that is stored of the domain agrees.
    case check
    /// To be answered when everything is with the provider.
    case wait
}
