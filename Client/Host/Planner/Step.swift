import FileProvider
import FileProviderReplica

/// What is to be done next for one node. One step at a time: after it the trees are others, and are
/// looked at again.
package enum Step: Hashable, Sendable {
    case nothing

    // Without anybody.
    /// No tree knows the node any more.
    case forget
    /// Both sides came to the same by themselves.
    case adopt
    /// The provider has put something of another kind in the node's place: that becomes a node of its
    /// own, and this one is gone there.
    case split

    // By the extension.
    /// `createItem` of what came up here.
    case create
    /// `createItem` under a name that nobody has: its own is not free before others can go into it.
    case createAside
    /// `createItem` of what was deleted at the provider, and written to here.
    case createAgain
    case modify(NSFileProviderItemFields)
    /// `modifyItem` to a name that nobody has: somebody waits, perhaps through others, for this one to leave where it is; or for
    /// an answer to where it was asked to go before.
    case modifyAside
    /// `deleteItem`, of a folder only when it is empty there: nothing goes that nobody has seen.
    case delete

    // Here.
    /// The node appears.
    case show
    case change(NSFileProviderItemFields)
    /// The node appears or changes under another name than the wanted one, which is taken.
    case bounce(NSFileProviderItemFields)
    case hide
    /// It lies in a folder that stays here, and stays here with it.
    case exclude
    /// The folder is gone there, and stays here for what stays here in it.
    case leaveOver
    /// It does not stay here any more, but goes to the provider.
    case include
    /// The content is to be here before the provider's goes.
    case download

    case wait(Reason)

    /// Whether the provider is handed what is here.
    var handsOver: Bool {
        switch self {
        case .create, .createAside, .createAgain, .modify, .modifyAside: true
        default: false
        }
    }

    /// For what a node waits. It is looked at again when that has changed.
    package enum Reason: Hashable, Sendable {
        /// That its folder is here.
        case parent
        /// That its folder is at the provider.
        case parentThere
        case children
        /// That a name becomes free here.
        case name
        /// That a name becomes free at the provider.
        case nameThere
    }
}
