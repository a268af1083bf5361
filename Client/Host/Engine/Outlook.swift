import FileProviderReplica

/// What can be done for a node now.
struct Outlook {
    let node: StoredNode
    let step: Step
    let neighbours: Neighbours
    /// It would be made at the provider, but stays here because of its name.
    var isIgnored = false

    var needsExtension: Bool {
        switch step {
        case .create, .createAside, .createAgain, .modify, .modifyAside, .delete: !isIgnored
        default: false
        }
    }

    /// As others see it: what stays here is none of the provider's.
    var shownStep: Step { isIgnored ? .exclude : step }
}
