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
        /// What some of them were of which the kernel was told nothing: who watches is to hear of them, too.
        var past: [NodeID: FormerNode] = [:]
        /// Folders of which the kernel keeps listings that somebody may begin to read once more.
        var listings: Set<NodeID> = []
        /// Folders that have another date.
        var dated: Set<NodeID> = []
        /// Names of which the kernel may know nothing, or what is not so any more.
        var names: [ForgottenName] = []
        /// Numbers to which no name leads once these are forgotten.
        var nameless: [(number: UInt64, place: KernelView.Place)] = []
        var isStopped = false
    }

    private let view: KernelView
    private let session: FuseSession
    private let domain: MountedDomain
    private let state = Mutex(State())
    private let due = Mutex<[NodeID: [ForgottenName]]>([:])
    private let wake = Semaphore()
    private let wakeForStop = Semaphore()
    /// Somebody in a folder may be waiting for the provider; or for a page of a file.
    private let folders = PatientThreads<NodeID>(name: "mount names", most: 64)
    private let files = PatientThreads<UInt64>(name: "mount bytes", most: 64)

    /// Others' changes are seen so much later meanwhile.
    private static let rest = Duration.milliseconds(20)
    /// Names are forgotten a moment after they were looked at, so many at a time.
    private static let mostNames = 256
    /// Who watches hears of no more that nobody has looked at.
    private static let mostPast = 10_000
    /// Of a folder, so many are looked at together.
    private static let mostChildren = 1000
    /// So long a folder keeps others waiting.
    private static let patience = Duration.milliseconds(300)

    init(view: KernelView, session: FuseSession, domain: MountedDomain) {
        self.view = view
        self.session = session
        self.domain = domain
    }

    func start() {
        domain.host.replica.changes.observe { [weak self] change in self?.note(change) }
        Thread(name: "mount news") { self.run() }.detach()
    }

    func stop() {
        domain.host.replica.changes.observe(nil)
        state.withLock { $0.isStopped = true }
        wakeForStop.signal()
        wake.signal()
        folders.stop()
        files.stop()
    }

    private func note(_ change: ReplicaChanges.Change) {
        switch change {
        case .node(let node, let former):
            look(at: [node], former)
        case .folder(let folder):
            guard domain.listings.noteChange(in: folder) else { return }
            state.withLock { _ = $0.listings.insert(folder) }
            wake.signal()
        case .date(let folder):
            guard view.mayKnow(UInt64(bitPattern: folder.rawValue)) else { return }
            state.withLock { _ = $0.dated.insert(folder) }
            wake.signal()
        }
    }

    /// Looks what has become of nodes.
    /// - Parameter former: what they were before the last change. What counts is what they were before the first of those that
    ///   are looked at together.
    func look(at nodes: some Sequence<NodeID>, _ former: FormerNode? = nil) {
        let isNew = state.withLock { state in
            let wasEmpty = state.changed.isEmpty
            for node in nodes {
                if let former, state.past[node] == nil, state.past.count < Self.mostPast {
                    state.past[node] = former
                }
                if state.known.insert(node).inserted { state.changed.append(node) }
            }
            return wasEmpty && !state.changed.isEmpty
        }
        if isNew { wake.signal() }
    }

    /// It is looked at later.
    private func keep(_ former: FormerNode?, of id: NodeID) {
        guard let former else { return }
        // Nobody has heard of what came after that either.
        state.withLock { $0.past[id] = former }
    }

    /// What changed while nobody was there to tell of it. With a folder, the kernel forgets all that is in it: so where programs
    /// stand, it forgets what is in that.
    private func lookAtEverything() {
        do {
            let standing = domain.echo?.standing() ?? []
            var folders = [NodeID.root]
            while let folder = folders.popLast() {
                folders += try lookAtNames(in: folder, standing)
            }
            wake.signal()
        } catch {
            domain.world.log.warning(
                "the kernel may know of a folder what is not so any more",
                ["error": .text("\(error)")])
        }
    }

    /// - Returns: the folders in it in which programs stand.
    private func lookAtNames(in folder: NodeID, _ standing: Set<NodeID>) throws -> [NodeID] {
        var stoodIn: [NodeID] = []
        var last: String?
        repeat {
            if state.withLock({ $0.isStopped }) { return [] }
            let children = try domain.host.replica.read { reader in
                try reader.children(of: folder, after: last, limit: Self.mostChildren)
            }
            last = children.count < Self.mostChildren ? nil : children.last?.trees.local?.name
            let names = children.compactMap { child -> ForgottenName? in
                guard let name = child.trees.local?.name else { return nil }
                let place = KernelView.Place(folder: folder, name: name)
                guard child.kind == .folder, standing.contains(child.id) else {
                    return .name(place, isSought: child.kind == .folder)
                }
                stoodIn.append(child.id)
                return .doubted(place)
            }
            state.withLock { $0.names += names }
        } while last != nil
        return stoodIn
    }

    /// Looks who has a name by now.
    func look(for name: KernelView.Place) {
        state.withLock { $0.names.append(.name(name, isSought: true)) }
        wake.signal()
    }

    /// By its name, the kernel is to look who has that now: others go on with what they have open by the number.
    func forgetName(of number: UInt64) {
        guard let place = view.known(number)?.place else { return }
        state.withLock { $0.nameless.append((number, place)) }
        wake.signal()
    }

    /// What is said of a file is not so any more. That waits for nobody.
    func forgetStatus(of number: UInt64) {
        session.forgetStatus(of: number)
    }

    /// Some of what the kernel has of a file's bytes is not there.
    func forget(_ range: Range<Int64>, of number: UInt64) {
        files.run(number, waitingUpTo: .zero) { [session] in session.forget(range, of: number) }
    }

    /// Whoever opens the file before they are forgotten has them forgotten then.
    private func forgetBytes(of number: UInt64) {
        view.beginForgetting(bytesOf: number)
        session.forgetStatus(of: number)
        files.run(number, waitingUpTo: .zero) { [session, view] in
            session.forgetContent(of: number)
            view.endForgetting(bytesOf: number)
        }
    }

    private func run() {
        if !view.isWhole { lookAtEverything() }
        while true {
            wake.wait()
            // What a program makes is looked at once then, and not with each change of it.
            if domain.host.isInBurst { _ = wakeForStop.wait(upTo: Self.rest) }
            let work = state.withLock { state in
                defer {
                    // What waits for somebody else keeps its own.
                    for node in state.changed { state.past[node] = nil }
                    (state.changed, state.known) = ([], [])
                    (state.names, state.listings, state.dated) = ([], [], [])
                    state.nameless = []
                }
                return state
            }
            if work.isStopped { return }
            for name in work.names { forget(name) }
            for (number, place) in work.nameless { forget(.name(place, of: number)) }
            for folder in work.listings {
                session.forgetContent(of: UInt64(bitPattern: folder.rawValue))
            }
            for folder in work.dated {
                session.forgetStatus(of: UInt64(bitPattern: folder.rawValue))
            }
            for node in work.changed { tell(of: node, work.past[node]) }
            forgetNames()
        }
    }

    private func tell(of id: NodeID, _ former: FormerNode?) {
        do {
            let node = try domain.host.replica.read { try $0.node(id) }
            guard let node, let local = node.trees.local else { return try tellGone(id, former) }
            let place = KernelView.Place(folder: local.parent, name: local.name)
            let number = domain.numbers.number(of: id)
            let known = view.known(number)
            let old = known?.place?.folder ?? former?.node?.trees.local?.parent
            let folders = [id, local.parent] + (old.map { [$0] } ?? [])
            if view.waits(id, for: folders) { return keep(former, of: id) }
            let unseen = known == nil ? try unseen(former, watchedIn: folders) : nil
            // Before anybody takes what it may have of the time of another process for that.
            if known == nil, view.mayKnow(number) { forgetBytes(of: number) }
            if let unseen, unseen.place == place {
                if !view.isWhole { forget(number, from: nil, place) }
            } else if known?.place != place {
                tell(of: node, at: place, number, known?.place ?? unseen?.place)
            }
            if let unseen { try tell(of: node, at: place, since: unseen, number) }
            guard let known = view.known(number) else { return }
            let facts = KernelView.Facts(node, try domain.status(of: node, as: number))
            let watchers = [id, local.parent]
            if facts.differsInBytes(from: known.facts) {
                return tell(of: id, facts, number, watchers)
            }
            view.set(facts, of: number)
            guard facts.status != known.facts.status else { return }
            // Also of what it has done itself: an answer to an earlier question may still be on its way to it.
            session.forgetStatus(of: number)
            view.clearDoings(of: number)
            let told = known.doings.applied(to: known.facts.status, now: facts.status)
            if isTold(facts.status, of: node.kind, after: told) {
                _ = domain.echo?.tell(.attributes(id), watchersOf: watchers)
            }
        } catch {
            domain.world.log.warning(
                "the kernel is not told of a change", ["error": .text("\(error)")])
        }
    }

    /// What something was of which the kernel was told nothing.
    private typealias Unseen = (place: KernelView.Place, facts: KernelView.Facts)

    /// Nil where nobody watches it.
    private func unseen(_ former: FormerNode?, watchedIn folders: [NodeID]) throws -> Unseen? {
        guard let node = former?.node, let local = node.trees.local,
            domain.echo?.isWatched(folders + [local.parent]) == true
        else { return nil }
        return (
            KernelView.Place(folder: local.parent, name: local.name),
            KernelView.Facts(node, try domain.status(of: node))
        )
    }

    /// Has those who watch hear what has changed of something that the kernel has to ask for.
    private func tell(
        of node: StoredNode, at place: KernelView.Place, since before: Unseen, _ number: UInt64
    ) throws {
        let facts = KernelView.Facts(node, try domain.status(of: node, as: number))
        let watchers = [node.id, place.folder]
        if facts.differsInBytes(from: before.facts) {
            _ = domain.echo?.tell(.content(node.id), watchersOf: watchers)
            return
        }
        var status = before.facts.status
        // That it was changed, who hears of another place knows.
        if before.place != place { status.changed = facts.status.changed }
        if isTold(facts.status, of: node.kind, after: status) {
            _ = domain.echo?.tell(.attributes(node.id), watchersOf: watchers)
        }
    }

    /// It has other bytes than the kernel knows.
    private func tell(
        of id: NodeID, _ facts: KernelView.Facts, _ number: UInt64, _ watchers: [NodeID]
    ) {
        let file = domain.handles.file(openedAs: number)
        // What a process before this one has opened, nobody knows here.
        if file.map({ !$0.isCurrent || $0.node != id }) ?? !view.isWhole {
            // While it is known by the number still by which it is watched.
            _ = domain.echo?.tell(.content(id), watchersOf: watchers)
            return domain.renew(number)
        }
        if file != nil, domain.handles.isClean(number) {
            // Who has opened it since has had what was there before forgotten.
            session.forgetStatus(of: number)
        } else {
            // Before anybody takes what the kernel has for that.
            forgetBytes(of: number)
        }
        view.set(facts, of: number)
        _ = domain.echo?.tell(.content(id), watchersOf: watchers)
    }

    /// Whether a disk would tell those who watch. It does not of the date of a folder, beside what was changed in it, nor
    /// where bytes lie.
    private func isTold(_ status: FileStatus, of kind: NodeKind, after told: FileStatus) -> Bool {
        if kind == .folder, status.isSame(as: told) { return false }
        var elsewhere = told
        elsewhere.stored = status.stored
        return status != elsewhere
    }

    /// It is somewhere else than the kernel knows, or new.
    private func tell(
        of node: StoredNode, at place: KernelView.Place, _ number: UInt64,
        _ old: KernelView.Place?
    ) {
        guard let echo = domain.echo else { return forget(number, from: old, place) }
        if let old {
            let folders = [old.folder, place.folder]
            if echo.tell(.move(from: old, to: place, node.id), watchersOf: folders) {
                return view.set(place, of: number)
            }
            // Where the kernel takes the old name for another one's by now, it is new to who watches.
            if echo.tell(.creation(place, node.id), watchersOf: [place.folder]) {
                forget(.name(old))
                return view.set(place, of: number)
            }
        } else if echo.tell(.creation(place, node.id), watchersOf: [place.folder]) {
            return view.set(place, of: number)
        }
        forget(number, from: old, place)
    }

    private func forget(
        _ number: UInt64, from old: KernelView.Place?, _ place: KernelView.Place
    ) {
        if let old { forget(.name(old)) }
        // It may know that there was no such name: not where it was told of this node just now, which somebody may be in.
        if view.mayKnow(UInt64(bitPattern: place.folder.rawValue)),
            view.known(number)?.place != place
        {
            forget(.name(place))
        }
        view.set(nil as KernelView.Place?, of: number)
    }

    private func tellGone(_ id: NodeID, _ former: FormerNode?) throws {
        let number = domain.numbers.number(of: id)
        let known = view.known(number)
        let unseen = known == nil ? try unseen(former, watchedIn: [id]) : nil
        guard let place = known?.place ?? unseen?.place,
            let facts = known?.facts ?? unseen?.facts
        else { return }
        if view.waits(id, for: [id, place.folder]) { return keep(former, of: id) }
        // What was saved by way of it has its number by now.
        guard domain.numbers.node(number) == id else { return }
        let isTold = domain.echo?.tell(
            .removal(place, facts.status, as: number), watchersOf: [id, place.folder])
        if isTold != true { forget(.removed(place, number)) }
        view.set(nil as KernelView.Place?, of: number)
    }

    // MARK: Names

    /// For a name, the kernel waits for whoever does something in its folder.
    private func forget(_ name: ForgottenName) {
        due.withLock { $0[name.place.folder, default: []].append(name) }
        if due.withLock({ $0.values.reduce(0) { $0 + $1.count } }) >= Self.mostNames {
            forgetNames()
        }
    }

    private func forgetNames() {
        let names = due.withLock { due in
            defer { due = [:] }
            return due
        }
        for (folder, names) in names.sorted(by: { $0.key < $1.key }) {
            folders.run(folder, waitingUpTo: Self.patience) { [session, view, domain] in
                for name in names { name.forget(session, view) }
                for name in names where name.isSought { domain.echo?.lookAgain(for: name.place) }
            }
        }
    }
}
