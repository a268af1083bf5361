/// What a node's plan depends on besides its own trees: how its parents, its children and those who
/// want the same name stand. Looked up for one node, never by a walk through the tree.
package struct Surroundings: Hashable, Sendable {
    /// The folder that the node lies in here, as the provider sees it.
    package enum Upstream: Hashable, Sendable, CaseIterable {
        case known
        /// Made here, and not there yet; or it lies below the node itself there, and is to go from there.
        case unborn
        /// Gone there. It is brought back when something in it is worth that.
        case gone
        /// It stays here, and so does what lies in it.
        case excluded
    }

    /// The folder that the provider puts the node into, as it is here.
    package enum Downstream: Hashable, Sendable, CaseIterable {
        case present
        /// Not here yet, or nobody ever looked into it.
        case absent
        /// Deleted here, which the provider does not know yet or has not agreed to.
        case deleted
        /// It stays here for itself: what comes into it there makes the provider's another one.
        case excluded
        /// It lies below the node itself: what is to go above it was moved into it here.
        case inside
    }

    /// Who has the name that the node is to get.
    package enum NameHolder: Hashable, Sendable, CaseIterable {
        case nobody
        /// A node that will not give it up.
        case settled
        /// A node that is about to leave it, or whose own way is not decided yet.
        case leaving
        /// A file that was deleted, and nothing keeps that from being done.
        case deleted
        /// A node that waits, perhaps through others, for this one: for its name, that it leaves a folder, or is made.
        case circle
    }

    package enum Children: Hashable, Sendable, CaseIterable {
        case none
        /// All as both sides agreed.
        case synced
        /// Some that the other side does not know as they are.
        case news
        /// None but such as stay here.
        case excluded
    }

    /// The provider was asked to make the node, and nobody knows whether it has.
    package var isUnanswered = false
    /// And it may be in another place there by now than it is here, where it cannot be made just now.
    package var mayBeElsewhere = false
    package var upstream = Upstream.known
    package var downstream = Downstream.present
    /// At the provider, of the name that the node has here.
    package var upstreamHolder = NameHolder.nobody
    /// Here, of the name that the node has at the provider.
    package var downstreamHolder = NameHolder.nobody
    /// What lies in the node here, for a folder.
    package var localChildren = Children.none
    /// What lies in it at the provider.
    package var remoteChildren = Children.none

    package init() {}

    /// Whether nothing can be put at the provider where the node is here, just now.
    package var isHeldUpThere: Bool {
        guard upstream == .known else { return true }
        return switch upstreamHolder {
        case .leaving, .deleted, .circle: true
        case .nobody, .settled: false
        }
    }
}
