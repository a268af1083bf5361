import BasketSupport
import FileProviderReplica
import Synchronization

/// Which files were renamed a moment ago, and what they were called. A program that saves a file renames it first, to
/// keep what it held, and gives its name to a new one within milliseconds; a person is not that quick. Only memory
/// knows it: after a crash these are two files.
final class NamesLeft: Sendable {
    private struct Leaving {
        let node: NodeID
        let parent: NodeID
        let name: String
        let moment: Duration
    }

    private let world: World
    private let leavings = Mutex<[Leaving]>([])

    private static let memory = Duration.seconds(2)
    /// Whoever renames more than these in that time does not save.
    private static let mostLeavings = 64

    init(world: World) {
        self.world = world
    }

    /// - Parameter node: as it was before it was renamed.
    func note(_ node: StoredNode) {
        guard let place = node.trees.local, place.kind == .file, node.trees.synced != nil else {
            return
        }
        let now = world.uptime()
        leavings.withLock { leavings in
            leavings.removeAll { now - $0.moment > Self.memory }
            if leavings.count == Self.mostLeavings { leavings.removeFirst() }
            leavings.append(
                Leaving(node: node.id, parent: place.parent, name: place.name, moment: now))
        }
    }

    /// Who had a name in a folder last.
    func node(that parent: NodeID, hadAs name: String) -> NodeID? {
        let now = world.uptime()
        return leavings.withLock { leavings in
            leavings.last {
                $0.parent == parent && $0.name == name && now - $0.moment <= Self.memory
            }?.node
        }
    }

    func forget(_ node: NodeID) {
        leavings.withLock { $0.removeAll { $0.node == node } }
    }
}
