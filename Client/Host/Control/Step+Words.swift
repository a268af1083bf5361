extension Step {
    /// For people: what is to be done, or waited for.
    var words: String {
        switch self {
        case .nothing: "Nothing is to be done."
        case .forget: "It is forgotten."
        case .adopt: "Both sides agree, which is noted."
        case .split:
            "The provider has something else in its place, which becomes an item of its own."
        case .create: "It goes to the provider."
        case .createAside:
            "It goes to the provider under another name, until its own is free there."
        case .createAgain: "It was deleted at the provider and changed here, and goes there again."
        case .modify: "What was changed here goes to the provider."
        case .modifyAside: "It gets another name for a moment, so that others can have its own."
        case .delete: "It is deleted at the provider."
        case .show: "It appears here."
        case .change: "What was changed at the provider is changed here."
        case .bounce: "Its name is taken here: it gets another one."
        case .hide: "It was deleted at the provider, and goes from here."
        case .exclude: "It stays on this device, with its folder."
        case .leaveOver: "It is gone at the provider, and stays here for what is in it."
        case .include: "It does not stay on this device alone any more."
        case .download: "Its content is brought here before it goes from the provider."
        case .wait(let reason): reason.words
        }
    }
}

extension Step.Reason {
    fileprivate var words: String {
        switch self {
        case .parent: "It waits until its folder is here."
        case .parentThere: "It waits until its folder is at the provider."
        case .children: "It waits until what is in it has gone."
        case .name: "It waits until its name is free here."
        case .nameThere: "It waits until its name is free at the provider."
        }
    }
}
