import BasketSupport
import FileProviderReplica
import Synchronization

// What programs see of files that are being written.
extension DomainHost {
    /// How long a file is that some program has open, whether or not it was removed.
    package func openSize(of id: NodeID) throws -> Int64? {
        try openContents.any(of: id)?.size
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
