import BasketSupport
import FileProviderHost
import FileProviderReplica
import Glibc
import Synchronization

/// Has programs that watch folders hear of what others have changed. The kernel tells them of what is done through it, and
/// of nothing else: so it is done once more, by a thread whose questions are answered without doing anything.
final class Echo: Sendable {
    private struct State {
        var change: EchoedChange?
        /// The thread that does it.
        var thread: Int32 = 0
    }

    private let folder: String
    private unowned let domain: MountedDomain
    private let errands: any ErrandRunning
    private let state = Mutex(State())
    /// For itself: a look at all processes must keep no question waiting.
    private let watched: Mutex<WatchedFolders?>

    /// - Parameters:
    ///   - folder: where the domain is mounted.
    ///   - device: what the kernel calls the mount; nil where nobody knows.
    init(
        _ domain: MountedDomain, at folder: String, of device: UInt64?,
        _ errands: any ErrandRunning
    ) {
        self.domain = domain
        self.folder = folder
        self.errands = errands
        watched = Mutex(device.map { WatchedFolders(device: $0, world: domain.world) })
    }

    // MARK: Doing it

    /// On the thread that tells the kernel what it has to forget.
    /// - Parameter nodes: whose watchers are to hear of it.
    /// - Returns: false where nobody watches, or it cannot be done: the kernel is to forget it, then.
    func tell(_ change: EchoedChange, watchersOf nodes: [NodeID]) -> Bool {
        guard isWatched(nodes), let paths = try? paths(of: change),
            let errand = errand(for: change, paths)
        else { return false }
        defer { state.withLock { ($0.change, $0.thread) = (nil, 0) } }
        let code = errands.run(errand) { thread in
            state.withLock { ($0.change, $0.thread) = (change, thread) }
        }
        return code == 0
    }

    /// Whether somebody watches one of them.
    func isWatched(_ nodes: [NodeID]) -> Bool {
        let numbers = nodes.map { UInt64(bitPattern: $0.rawValue) }
        return watched.withLock { $0?.contains(anyOf: numbers) ?? false }
    }

    /// Who stands in a folder whose name was forgotten cannot tell where that is before somebody has looked for it again.
    func lookAgain(for place: KernelView.Place) {
        let path = try? domain.host.replica.read { reader in
            let child = try reader.child(place.name, of: place.folder)
            guard child?.kind == .folder else { return nil as String? }
            return try whole(place.folder, reader) + "/" + place.name
        }
        if let path { _ = errands.run(.look(path)) { _ in } }
    }

    /// Folders in which programs stand, with those on the way there.
    func standing() -> Set<NodeID> {
        let programs = StandingPrograms(in: folder, files: domain.world.files)
        let nodes = try? domain.host.replica.read { reader in
            var nodes: Set<NodeID> = []
            for path in programs.paths {
                var folder = NodeID.root
                for name in path {
                    guard let child = try reader.child(name, of: folder) else { break }
                    nodes.insert(child.id)
                    folder = child.id
                }
            }
            return nodes
        }
        return nodes ?? []
    }

    private func paths(of change: EchoedChange) throws -> [String] {
        try domain.host.replica.read { reader in
            func path(_ place: KernelView.Place) throws -> String {
                try whole(place.folder, reader) + "/" + place.name
            }
            return switch change {
            case .creation(let place, _), .removal(let place, _, _): [try path(place)]
            case .move(let old, let new, _): [try path(old), try path(new)]
            case .content(let node), .attributes(let node): [try whole(node, reader)]
            }
        }
    }

    /// Where programs find it: what is in the trash, where desktops look for that.
    private func whole(_ id: NodeID, _ reader: ReplicaReader) throws -> String {
        let top = try reader.lies(id, below: .trash) ? domain.trashPath : []
        return try ([folder] + top + reader.path(of: id)).joined(separator: "/")
    }

    /// - Returns: nil for what is not to be done.
    private func errand(for change: EchoedChange, _ paths: [String]) -> Errand? {
        switch change {
        case .creation(_, let id):
            guard let node = try? domain.host.replica.read({ try $0.node(id) }) else { return nil }
            return switch node.kind {
            case .folder: .makeFolder(paths[0])
            case .symlink: .makeSymlink(paths[0])
            case .file: .makeFile(paths[0])
            }
        case .removal(let place, let status, _):
            // Whoever has the name by now must not go, should nobody know any more whose question it was.
            let isFree = try? domain.host.replica.read {
                try $0.child(place.name, of: place.folder) == nil
            }
            guard isFree == true else { return nil }
            return status.kind == .folder ? .removeFolder(paths[0]) : .removeFile(paths[0])
        case .move(_, _, let id):
            return .move(paths[0], to: paths[1], of: UInt64(bitPattern: id.rawValue))
        case .content: return .touchContent(paths[0])
        case .attributes: return .touchAttributes(paths[0])
        }
    }

    // MARK: Answering it

    /// Nil for a question that is somebody else's, or is answered as anybody's.
    func reply(to question: FuseQuestion, from caller: Caller) throws -> FuseReply? {
        let change = state.withLock { $0.thread == caller.process ? $0.change : nil }
        guard let change else {
            // It was asked on behalf of a process that is gone, and whoever has the name by now must not be changed.
            return question.changesSomething && errands.isRunner(caller.process)
                ? .failed(EIO) : nil
        }
        let reply: FuseReply? =
            switch change {
            case .creation(let place, let node): try reply(to: question, creating: place, node)
            case .removal(let place, let status, let number):
                reply(to: question, removing: place, status, number)
            case .move(let old, let new, let node): try reply(to: question, moving: old, new, node)
            case .content(let node), .attributes(let node): try reply(to: question, changing: node)
            }
        // Names may lead elsewhere by now: what is there instead must not be changed either.
        return reply ?? (question.changesSomething ? .failed(EIO) : nil)
    }

    private static var nobody: FuseReply {
        .entry(FuseEntry(nil, nameValidFor: .zero, statusValidFor: .zero))
    }

    private func isAbout(_ place: KernelView.Place, _ name: String, _ folder: UInt64) -> Bool {
        place.folder == domain.id(folder) && place.name.hasSameBytes(as: name)
    }

    private func reply(
        to question: FuseQuestion, creating place: KernelView.Place, _ node: NodeID
    ) throws -> FuseReply? {
        switch question {
        case .lookUp(let name, let folder) where isAbout(place, name, folder): return Self.nobody
        case .makeFolder(let name, let folder, _) where isAbout(place, name, folder),
            .makeSymlink(let name, let folder, _) where isAbout(place, name, folder):
            return .entry(try domain.entry(of: node))
        case .create(let name, let folder, _, _) where isAbout(place, name, folder):
            return .created(
                try domain.entry(of: node), OpenHandle(number: 0, keepsCache: true))
        case .release(let subject, _):
            return domain.numbers.node(subject) == node ? .done : nil
        default: return nil
        }
    }

    private func reply(
        to question: FuseQuestion, removing place: KernelView.Place, _ status: FileStatus,
        _ number: UInt64
    ) -> FuseReply? {
        switch question {
        case .lookUp(let name, let folder) where isAbout(place, name, folder):
            .entry(
                FuseEntry(status, as: number, nameValidFor: .zero, statusValidFor: .zero))
        case .remove(let name, let folder) where isAbout(place, name, folder),
            .removeFolder(let name, let folder) where isAbout(place, name, folder):
            .done
        default: nil
        }
    }

    private func reply(
        to question: FuseQuestion, moving old: KernelView.Place, _ new: KernelView.Place,
        _ node: NodeID
    ) throws -> FuseReply? {
        switch question {
        case .lookUp(let name, let folder) where isAbout(old, name, folder):
            .entry(try domain.entry(of: node))
        case .lookUp(let name, let folder) where isAbout(new, name, folder): Self.nobody
        case .rename(let name, let folder, let newName, let newFolder, _)
        where isAbout(old, name, folder) && isAbout(new, newName, newFolder):
            .done
        default: nil
        }
    }

    private func reply(to question: FuseQuestion, changing node: NodeID) throws -> FuseReply? {
        let number = question.subject
        // Also those hear of it who watch what they have open of what was there before.
        guard
            domain.numbers.node(number) == node || domain.view.known(number)?.node == node
        else { return nil }
        switch question {
        case .open: return .opened(OpenHandle(number: 0, keepsCache: true))
        case .setStatus: return try domain.status(of: number)
        case .release: return .done
        default: return nil
        }
    }
}
