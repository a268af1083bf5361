import BasketSupport
import FileProviderHost
import FileProviderReplica
import Synchronization

/// Tells the kernel what it has to forget, on threads of its own. For a name it has to wait there for whoever changes
/// something in the folder, who may wait for an answer of ours: so what an answer waits for is told by another thread, which
/// waits for nobody.
final class News: Sendable {
    private struct State {
        var changed: [NodeID] = []
        var known: Set<NodeID> = []
        /// Folders of which the kernel keeps listings that somebody may begin to read once more.
        var listings: Set<NodeID> = []
        /// Folders that have another date.
        var dated: Set<NodeID> = []
        /// Names of which the kernel may know nothing, and that somebody may have by now.
        var names: [KernelView.Place] = []
        var contents: [(node: NodeID, done: CheckedContinuation<Void, Never>)] = []
        /// What was read of files of what is not in them any more.
        var outdated: [NodeID: Range<Int64>] = [:]
        var isStopped = false
    }

    private let view: KernelView
    private let session: FuseSession
    private let domain: MountedDomain
    private let state = Mutex(State())
    private let wake = Semaphore()
    private let wakeForStop = Semaphore()
    private let wakeForContents = Semaphore()
    private let wakeForOutdated = Semaphore()

    /// Others' changes are seen so much later meanwhile.
    private static let rest = Duration.milliseconds(4)

    init(view: KernelView, session: FuseSession, domain: MountedDomain) {
        self.view = view
        self.session = session
        self.domain = domain
    }

    func start() {
        domain.host.replica.changes.observe { [weak self] change in self?.note(change) }
        if !view.isWhole { lookAtEverything() }
        Thread(name: "mount news") { self.run() }.detach()
        Thread(name: "mount contents") { self.runForContents() }.detach()
        Thread(name: "mount outdated") { self.runForOutdated() }.detach()
    }

    func stop() {
        domain.host.replica.changes.observe(nil)
        state.withLock { $0.isStopped = true }
        wakeForStop.signal()
        wake.signal()
        wakeForContents.signal()
        wakeForOutdated.signal()
    }

    private func note(_ change: ReplicaChanges.Change) {
        switch change {
        case .node(let node): look(at: [node])
        case .folder(let folder):
            guard domain.listings.noteChange(in: folder) else { return }
            state.withLock { _ = $0.listings.insert(folder) }
            wake.signal()
        case .date(let folder):
            guard view.mayKnow(folder) else { return }
            state.withLock { _ = $0.dated.insert(folder) }
            wake.signal()
        }
    }

    /// Looks what has become of nodes.
    func look(at nodes: some Sequence<NodeID>) {
        let isNew = state.withLock { state in
            let wasEmpty = state.changed.isEmpty
            for node in nodes where state.known.insert(node).inserted {
                state.changed.append(node)
            }
            return wasEmpty && !state.changed.isEmpty
        }
        if isNew { wake.signal() }
    }

    /// What changed while nobody was there to tell of it. With a folder, the kernel forgets all that is in it.
    private func lookAtEverything() {
        do {
            let names = try domain.host.replica.read { reader in
                try reader.childNumbers(of: .root).compactMap { id in
                    try reader.node(id)?.trees.local?.name
                }
            }
            for name in names { look(for: KernelView.Place(folder: .root, name: name)) }
        } catch {
            domain.world.log.warning(
                "the kernel may know of a folder what is not so any more",
                ["error": .text("\(error)")])
        }
    }

    /// Looks who has a name by now.
    func look(for name: KernelView.Place) {
        state.withLock { $0.names.append(name) }
        wake.signal()
    }

    /// Returns once the kernel has forgotten what was in a file.
    func forgetContent(of node: NodeID) async {
        await withCheckedContinuation { done in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.contents.append((node, done)) }
                return state.isStopped
            }
            if isStopped { done.resume() } else { wakeForContents.signal() }
        }
    }

    /// Some of a file's bytes were read of what is not in it any more: nobody else is to find them.
    func forgetOutdated(_ range: Range<Int64>, of node: NodeID) {
        state.withLock { state in
            let known = state.outdated[node] ?? range
            state.outdated[node] =
                min(known.lowerBound, range.lowerBound)..<max(known.upperBound, range.upperBound)
        }
        wakeForOutdated.signal()
    }

    /// It may have to wait for what others read of the file, and those for a download.
    private func runForOutdated() {
        while true {
            wakeForOutdated.wait()
            let (outdated, isStopped) = state.withLock { state in
                defer { state.outdated = [:] }
                return (state.outdated, state.isStopped)
            }
            if isStopped { return }
            for (node, range) in outdated {
                session.forget(range, of: UInt64(bitPattern: node.rawValue))
            }
        }
    }

    private func runForContents() {
        while true {
            wakeForContents.wait()
            let (contents, isStopped) = state.withLock { state in
                defer { state.contents = [] }
                return (state.contents, state.isStopped)
            }
            for (node, done) in contents {
                forgetBytes(of: node)
                done.resume()
            }
            if isStopped { return }
        }
    }

    private func run() {
        while true {
            wake.wait()
            // What a program makes is looked at once then, and not with each change of it.
            if domain.host.isInBurst { _ = wakeForStop.wait(upTo: Self.rest) }
            let work = state.withLock { state in
                defer {
                    (state.changed, state.known) = ([], [])
                    (state.names, state.listings, state.dated) = ([], [], [])
                }
                return state
            }
            if work.isStopped { return }
            for name in work.names { forget(name) }
            for folder in work.listings {
                session.forgetContent(of: UInt64(bitPattern: folder.rawValue))
            }
            for folder in work.dated {
                session.forgetStatus(of: UInt64(bitPattern: folder.rawValue))
            }
            for node in work.changed { tell(of: node) }
        }
    }

    private func tell(of id: NodeID) {
        do {
            let node = try domain.host.replica.read { try $0.node(id) }
            guard let node, let local = node.trees.local else { return tellGone(id) }
            let place = KernelView.Place(folder: local.parent, name: local.name)
            let known = view.known(id)
            let folders = [id, local.parent] + (known?.place.map { [$0.folder] } ?? [])
            if view.waits(id, for: folders) { return }
            if known?.place != place { tell(of: node, at: place, known) }
            let number = UInt64(bitPattern: id.rawValue)
            guard let known = view.known(id) else {
                if view.mayKnow(id) { forgetBytes(of: id) }
                return
            }
            let facts = KernelView.Facts(node, try domain.status(of: node))
            view.set(facts, of: id)
            let watchers = [id, local.parent]
            if facts.differsInBytes(from: known.facts) {
                forgetBytes(of: id)
                _ = domain.echo?.tell(.content(id), watchersOf: watchers)
                return
            }
            guard facts.status != known.facts.status else { return }
            // Also of what it has done itself: an answer to an earlier question may still be on its way to it.
            session.forgetStatus(of: number)
            view.clearDoings(of: id)
            let told = known.doings.applied(to: known.facts.status, now: facts.status)
            if isTold(facts.status, of: node.kind, after: told) {
                _ = domain.echo?.tell(.attributes(id), watchersOf: watchers)
            }
        } catch {
            domain.world.log.warning(
                "the kernel is not told of a change", ["error": .text("\(error)")])
        }
    }

    /// Whether a disk would tell those who watch. It does not of the date of a folder, beside what was changed in it, nor
    /// where bytes lie.
    private func isTold(_ status: FileStatus, of kind: NodeKind, after told: FileStatus) -> Bool {
        if kind == .folder, status.isSame(as: told) { return false }
        var elsewhere = told
        elsewhere.stored = status.stored
        return status != elsewhere
    }

    private func forgetBytes(of node: NodeID) {
        view.noteForgetting(bytesOf: node)
        session.forgetContent(of: UInt64(bitPattern: node.rawValue))
    }

    /// It is somewhere else than the kernel knows, or new.
    private func tell(
        of node: StoredNode, at place: KernelView.Place, _ known: KernelView.Known?
    ) {
        let id = node.id
        guard let echo = domain.echo else { return forget(id, from: known?.place, place) }
        if let old = known?.place {
            let folders = [old.folder, place.folder]
            if echo.tell(.move(from: old, to: place, id), watchersOf: folders) {
                return view.set(place, of: id)
            }
        } else if echo.tell(.creation(place, id), watchersOf: [place.folder]) {
            return view.set(place, of: id)
        }
        forget(id, from: known?.place, place)
    }

    private func forget(
        _ id: NodeID, from old: KernelView.Place?, _ place: KernelView.Place
    ) {
        if let old { forget(old) }
        // It may know that there was no such name: not where it was told of this node just now, which somebody may be in.
        if view.mayKnow(place.folder), view.known(id)?.place != place { forget(place) }
        view.set(nil, of: id)
    }

    private func tellGone(_ id: NodeID) {
        guard let known = view.known(id), let place = known.place else { return }
        if view.waits(id, for: [id, place.folder]) { return }
        if domain.echo?.tell(
            .removal(place, known.facts.status), watchersOf: [id, place.folder]) ?? false
        {
            return view.set(nil, of: id)
        }
        session.forgetRemoved(
            place.name, of: UInt64(bitPattern: id.rawValue),
            in: UInt64(bitPattern: place.folder.rawValue))
        view.set(nil, of: id)
    }

    private func forget(_ place: KernelView.Place) {
        session.forgetName(place.name, in: UInt64(bitPattern: place.folder.rawValue))
    }
}
