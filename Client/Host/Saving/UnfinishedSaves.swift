import BasketSupport
import FileProviderReplica
import Synchronization

/// What programs may be in the middle of that save files: they rename a file and give its name to a new one within
/// milliseconds, or write a new one and give it the name; a person is not that quick. The provider hears of neither until
/// it is clear what it was.
///
/// Only memory knows it: after a crash, files are what they are called.
final class UnfinishedSaves: Sendable {
    private struct Leaving {
        let node: NodeID
        let parent: NodeID
        let name: String
        let moment: Duration
    }

    private struct Saved {
        let node: NodeID
        let kept: NodeID
        let moment: Duration
    }

    private struct State {
        var leavings: [Leaving] = []
        var saved: [Saved] = []
        /// Until when the provider hears nothing of them.
        var held: [NodeID: Duration] = [:]
        /// Since when those are held that look like a program's own.
        var drafts: [NodeID: Duration] = [:]

        mutating func forget(before moment: Duration) {
            leavings.removeAll { $0.moment < moment }
        }

        mutating func release(at now: Duration) {
            held = held.filter { $0.value > now }
            drafts = drafts.filter { held[$0.key] != nil }
        }
    }

    private let world: World
    /// Whether anything is held back from the provider.
    private let holds: Bool
    private let state = Mutex(State())

    /// So long after it was renamed a file may get its name back.
    private static let memory = Duration.seconds(2)
    /// So long nobody else hears that it was renamed.
    private static let pause = Duration.milliseconds(100)
    /// So long after it was closed, what looks like a program's own may get another file's name.
    private static let draftPause = Duration.milliseconds(500)
    /// Whoever writes it again and again for so long means it.
    private static let longestDraft = Duration.seconds(5)
    /// Whoever renames or makes more than these in that time does not save.
    private static let most = 64

    init(world: World, holds: Bool) {
        self.world = world
        self.holds = holds
    }

    // MARK: Names

    /// A file is about to be renamed.
    /// - Parameter node: as it is before.
    func begin(renaming node: StoredNode, to parent: NodeID, as name: String) {
        // What the provider knows by another name is in the middle of something else.
        guard let place = node.trees.local, place.kind == .file, let remote = node.trees.remote,
            remote.isAt(place), parent == place.parent,
            !name.hasSameBytes(as: place.name),
            // A lock that becomes the file has nothing to do with the next one.
            !DraftName.isLikely(place.name) || DraftName.isLikely(name)
        else { return }
        let now = world.uptime()
        state.withLock { state in
            state.forget(before: now - Self.memory)
            state.leavings.removeAll { $0.node == node.id }
            guard state.leavings.count < Self.most else { return }
            state.leavings.append(
                Leaving(node: node.id, parent: place.parent, name: place.name, moment: now))
            // What gets a name of another kind is renamed for good, and others are to see that at once.
            if Self.isBackup(name, of: place.name) {
                hold(node.id, until: now + Self.pause, in: &state)
            }
        }
    }

    /// Whether a file is renamed as programs do it before they write a new one: to what looks like a program's own, or to
    /// something that has the old name in it, as `log.1`, `report (old).odt`.
    private static func isBackup(_ name: String, of original: String) -> Bool {
        let stem = original.lastIndex(of: ".").map { original[..<$0] } ?? original[...]
        return stem.isEmpty || name.contains(stem) || DraftName.isLikely(name)
    }

    /// Nothing has come of it.
    func cancel(_ node: NodeID) {
        state.withLock { state in
            state.leavings.removeAll { $0.node == node }
            state.held[node] = nil
        }
    }

    /// Who had a name in a folder a moment ago. Somebody is about to give it back.
    /// - Parameter isBusy: whether the provider may be hearing just now that something was renamed.
    /// - Returns: nil where it may be hearing of that one: it is too late to give its name back unseen.
    func node(
        that parent: NodeID, hadAs name: String, isBusy: (NodeID) -> Bool
    ) -> NodeID? {
        let now = world.uptime()
        let found = state.withLock { state -> (node: NodeID, wasHeld: Bool)? in
            let node = state.leavings.last {
                $0.parent == parent && $0.name.hasSameBytes(as: name)
                    && now - $0.moment <= Self.memory
            }?.node
            guard let node else { return nil }
            let wasHeld = state.held[node].map { $0 > now } ?? false
            hold(node, until: now + Self.memory, in: &state)
            return (node, wasHeld)
        }
        // Once it is held, the provider hears no more of it.
        guard let found else { return nil }
        if found.wasHeld || !isBusy(found.node) { return found.node }
        state.withLock { $0.held[found.node] = nil }
        return nil
    }

    // MARK: What is saved

    /// A file has its name back, and another one holds what it held.
    func note(saved node: NodeID, keeping kept: NodeID) {
        let now = world.uptime()
        state.withLock { state in
            state.leavings.removeAll { $0.node == node }
            state.held[node] = nil
            state.saved.removeAll { $0.node == node || now - $0.moment > Self.memory }
            if state.saved.count < Self.most {
                state.saved.append(Saved(node: node, kept: kept, moment: now))
            }
            // Most remove it as soon as all is written, and some take it back when that fails.
            hold(kept, until: now + Self.memory, in: &state)
        }
    }

    /// What a file held that was saved a moment ago.
    func kept(of node: NodeID) -> NodeID? {
        let now = world.uptime()
        return state.withLock { state in
            state.saved.last { $0.node == node && now - $0.moment <= Self.memory }?.kept
        }
    }

    /// What was saved by way of that a moment ago. Who removes it later has saved something else since then, perhaps.
    func item(keeping kept: NodeID) -> NodeID? {
        let now = world.uptime()
        return state.withLock { state in
            state.saved.last { $0.kept == kept && now - $0.moment <= Self.memory }?.node
        }
    }

    /// What looks like a program's own was written, and may be given another file's name.
    func note(draft node: NodeID) {
        guard holds else { return }
        let now = world.uptime()
        state.withLock { state in
            let first = state.drafts[node] ?? now
            state.drafts[node] = first
            hold(node, until: min(now + Self.draftPause, first + Self.longestDraft), in: &state)
        }
    }

    // MARK: Holding back

    private func hold(_ node: NodeID, until moment: Duration, in state: inout State) {
        guard holds else { return }
        // Nobody may have looked for what can be sent for a while.
        if state.held.count >= Self.most { state.release(at: world.uptime()) }
        guard state.held.count < Self.most || state.held[node] != nil else { return }
        state.held[node] = moment
    }

    func isHeld(_ node: NodeID) -> Bool {
        let now = world.uptime()
        return state.withLock { $0.held[node].map { $0 > now } ?? false }
    }

    /// How many are held back at most.
    var heldCount: Int { state.withLock { $0.held.count } }

    /// Before it is looked for what can be sent.
    func releaseWhatIsDue() {
        let now = world.uptime()
        state.withLock { state in
            if !state.held.isEmpty { state.release(at: now) }
        }
    }

    /// How long it is until the first one is held back no more that is not released yet.
    var untilDue: Duration? {
        let now = world.uptime()
        return state.withLock { $0.held.values.min() }.map { max(.zero, $0 - now) }
    }
}
