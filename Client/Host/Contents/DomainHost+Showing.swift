import BasketSupport
import FileProviderReplica
import Synchronization

// What programs see of files that are being written.
extension DomainHost {
    /// Who shows files by numbers of their own hears from now on which two nodes have each other's bytes, as where a file is
    /// saved by way of another one: at a moment at which nobody can open either, and before anybody is told of it.
    package func observeExchanges(_ body: @escaping @Sendable (NodeID, NodeID) -> Void) {
        openContents.observe(body)
    }

    /// What a file is while some program writes to it, and the replica does not know; nil where it does.
    package func written(to id: NodeID) throws -> (size: Int64, modified: Timestamp?)? {
        guard let content = openContents.current(id) else { return nil }
        let (isWriting, modified) = content.state.withLock { ($0.isWriting, $0.modified) }
        return isWriting ? (try content.size, modified) : nil
    }

    /// How much of this disk a file's bytes take that are here: less than their number where it has holes.
    package func stored(_ node: StoredNode) -> Int64 {
        guard let file = node.file,
            let facts = try? world.files.facts(of: replica.contents.path(file))
        else { return node.here }
        return facts.stored
    }

    /// A program changes something: what goes on by itself meanwhile gives it the way.
    package func noteLocalChange() {
        burst.note(at: world.uptime())
    }

    /// Whether programs change much just now, one thing after the other.
    package var isInBurst: Bool { burst.isOn(at: world.uptime()) }

    /// Whether something can be moved to the trash.
    package var hasTrash: Bool { settings.supportsSyncingTrash }

    /// Whether what is not here cannot be had for now, as far as anybody knows.
    package var isCutOff: Bool {
        outage.isStanding || state.withLock { $0.failuresInRow > 0 }
            || (try? calls.isConnected()) == false
    }
}
