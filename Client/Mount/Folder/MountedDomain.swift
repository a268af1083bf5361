import BasketSupport
import FileProviderHost
import FileProviderReplica
import Glibc
import Synchronization

/// A domain as a folder: answers what the kernel asks about it.
package final class MountedDomain: FolderServer {
    let host: DomainHost
    let world: World
    let handles: Handles
    let view: KernelView
    let listings = KeptListings()
    private let newsOfChanges = Mutex<News?>(nil)
    private let echoOfChanges = Mutex<Echo?>(nil)
    let programs: ProgramFinder
    let specials: SpecialFiles
    let trash: TrashNotes
    /// Whose everything is.
    let user: UInt32
    let group: UInt32
    /// The date of what has none, as of the domain itself.
    let started: Timestamp

    /// - Parameter folder: where it keeps what is no provider's; it exists.
    init(
        _ host: DomainHost, folder: String, view: KernelView, world: World, user: UInt32,
        group: UInt32
    ) {
        self.host = host
        self.view = view
        self.world = world
        self.user = user
        self.group = group
        started = world.now()
        handles = Handles(world: world)
        programs = ProgramFinder(world: world)
        specials = SpecialFiles(path: folder + "/special-files.json", world: world)
        trash = TrashNotes(path: folder + "/trash-notes.json", world: world)
    }

    /// It is there from before the first question on.
    func use(_ news: News) {
        newsOfChanges.withLock { $0 = news }
    }

    /// Others' changes are told to who watches the folder.
    func use(_ echo: Echo) {
        echoOfChanges.withLock { $0 = echo }
    }

    var echo: Echo? { echoOfChanges.withLock { $0 } }
    var news: News? { newsOfChanges.withLock { $0 } }

    package func answer(_ question: FuseQuestion, from caller: Caller) async -> FuseAnswer {
        // It is no change of anybody's here.
        if let reply = echoed(question, caller) { return FuseAnswer(reply) {} }
        let changed = question.changedNodes
        view.begin(changed)
        if !changed.isEmpty { host.noteLocalChange() }
        let count = host.replica.changes.count
        let reply: FuseReply
        do {
            if let other = try await specialReply(to: question) {
                reply = other
            } else if let other = try await trashReply(to: question) {
                reply = other
            } else {
                reply = try await self.reply(to: question, caller)
            }
        } catch {
            // The kernel then looks by the name for what has come in its place, as where a file was saved by way of another.
            let isGone = error as? LocalError == .notFound && isOutdated(question)
            // Who asked has been interrupted, whatever the one who was asked on its behalf makes of that.
            let code = isGone ? ESTALE : Task.isCancelled ? EINTR : ErrorNumber.of(error)
            if code == EIO {
                world.log.warning("a program is told of an error", ["error": .text("\(error)")])
            }
            reply = .failed(code)
        }
        return FuseAnswer(reply) { self.end(changed, question, reply, since: count) }
    }

    /// Whether the kernel asks about a node, or in a folder, that is not there any more: by its name it may be another one.
    private func isOutdated(_ question: FuseQuestion) -> Bool {
        if question.isAskedByNumber { return true }
        let folders = question.changedNodes
        let areThere = try? host.replica.read { reader in
            try folders.allSatisfy { try reader.node($0)?.trees.local != nil }
        }
        return areThere == false
    }

    private func echoed(_ question: FuseQuestion, _ caller: Caller) -> FuseReply? {
        do {
            return try echo?.reply(to: question, from: caller)
        } catch {
            return .failed(ErrorNumber.of(error))
        }
    }

    /// What has changed while the kernel was being told of it, it is told once more.
    private func end(
        _ changed: [NodeID], _ question: FuseQuestion, _ reply: FuseReply, since count: UInt64
    ) {
        if case .read(let node, let handle, let offset, let count) = question {
            return forgetOutdated(
                offset..<offset + Int64(count), readAt: handle, of: id(node))
        }
        var due = view.end(changed)
        if host.replica.changes.count != count {
            due.formUnion(reply.toldNodes)
            if case .lookUp(let name, let folder) = question, reply.toldNodes.isEmpty {
                news?.look(for: KernelView.Place(folder: id(folder), name: name))
            }
        }
        if !due.isEmpty { news?.look(at: due) }
    }

    private func reply(to question: FuseQuestion, _ caller: Caller) async throws -> FuseReply {
        switch question {
        case .lookUp(let name, let folder): try await lookUp(name, in: id(folder))
        case .status(let node, let handle): try status(of: id(node), handle)
        case .setStatus(let node, let change, let handle):
            try await setStatus(of: id(node), change, handle, caller)
        case .target(let node): try target(of: id(node))

        case .makeFolder(let name, let folder, let mode):
            try await make(name, in: id(folder), .folder, Permissions(mode), caller)
        case .makeNode(let name, let folder, let mode, _):
            try await makeNode(name, in: id(folder), mode: mode, caller)
        case .makeSymlink(let name, let folder, let target):
            try await makeSymlink(name, in: id(folder), to: target, caller)
        // A file has one place, in a domain as in its provider.
        case .makeLink: throw Refusal(EPERM)
        case .remove(let name, let folder):
            try await remove(name, in: id(folder), isFolder: false, caller)
        case .removeFolder(let name, let folder):
            try await remove(name, in: id(folder), isFolder: true, caller)
        case .rename(let name, let folder, let newName, let newFolder, let mode):
            try await rename(name, in: id(folder), to: newName, in: id(newFolder), mode, caller)

        case .open(let node, let mode): try await open(id(node), mode, caller)
        case .create(let name, let folder, let permissions, let mode):
            try await create(name, in: id(folder), Permissions(permissions), mode, caller)
        case .read(let node, let handle, let offset, let count):
            try await read(id(node), handle, at: offset, count: count, caller)
        case .write(let node, let handle, let offset, let bytes, let appends):
            try await write(
                id(node), handle, bytes, at: offset, appends: appends, caller)
        case .release(_, let handle): try await release(handle)
        case .synchronise(let node, let handle): try await synchronise(id(node), handle, caller)
        case .allocate(let node, let handle, let range, let mode):
            try await allocate(id(node), handle, range, mode: mode, caller)
        case .seek(let node, let handle, let offset, let forHole):
            try await seek(id(node), handle, from: offset, forHole: forHole, caller)

        case .openFolder(let node): try await openFolder(id(node))
        case .list(let node, let handle, let after, let capacity, let withStatus):
            try list(
                id(node), handle, after: after,
                FuseListing(capacity: capacity, withStatus: withStatus))
        case .releaseFolder(_, let handle): releaseFolder(handle)
        case .synchroniseFolder: try await synchroniseFolder()

        case .statistics: try await statistics()
        case .attribute(let name, let node): try attribute(name, of: id(node))
        case .attributes(let node): try attributes(of: id(node))
        case .setAttribute(let name, let value, let node, let mode):
            try await setAttribute(name, value, of: id(node), mode)
        case .removeAttribute(let name, let node):
            try await removeAttribute(name, of: id(node))
        }
    }

    func id(_ node: UInt64) -> NodeID { NodeID(rawValue: Int64(bitPattern: node)) }

    package func forget(_ node: UInt64, times: UInt64) {
        if LocalNumber.isTrash(node) { return trash.forget(node) }
        view.forget(id(node), times: times)
        if view.known(id(node)) == nil { listings.forget(id(node)) }
    }

    package func abandon(_ handle: UInt64) {
        releaseFolderNow(handle)
        guard let file = handles.remove(fileAt: handle) else { return }
        _ = world.spawn { try? await file.close() }
    }
}
