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
    let numbers: KernelNumbers
    let listings = KeptListings()
    private let newsOfChanges = Mutex<News?>(nil)
    private let echoOfChanges = Mutex<Echo?>(nil)
    let programs: ProgramFinder
    let cutOffPatience: CutOffPatience
    let specials: SpecialFiles
    let trash: TrashNotes
    /// Whose everything is.
    let user: UInt32
    let group: UInt32
    /// The date of what has none, as of the domain itself.
    let started: Timestamp

    /// - Parameters:
    ///   - folder: where it keeps what is no provider's; it exists.
    ///   - isResumed: whether the kernel knows what a process before this one has told.
    init(
        _ host: DomainHost, folder: String, isResumed: Bool, world: World, user: UInt32,
        group: UInt32
    ) {
        self.host = host
        self.world = world
        view = KernelView(isWhole: !isResumed)
        numbers = KernelNumbers(
            path: folder + "/kernel-numbers", isResumed: isResumed, world: world)
        self.user = user
        self.group = group
        started = world.now()
        handles = Handles(world: world)
        programs = ProgramFinder(world: world)
        cutOffPatience = CutOffPatience(world: world)
        specials = SpecialFiles(path: folder + "/special-files.json", world: world)
        trash = TrashNotes(path: folder + "/trash-notes.jsonl", world: world)
        host.observeExchanges { [weak self] one, other in self?.noteExchange(one, other) }
    }

    private func noteExchange(_ one: NodeID, _ other: NodeID) {
        numbers.exchange(one, other, isKnown: view.mayKnow)
        for node in [one, other] {
            let number = numbers.number(of: node)
            view.set(node, of: number)
            // Who has asked a moment ago may have been told of the other one.
            news?.forgetStatus(of: number)
        }
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
        let changed = question.changedNodes(numbers)
        view.begin(changed)
        if !changed.isEmpty, !isEndOfReading(question) { host.noteLocalChange() }
        // It may have been told to look once more before the process before this one has ended.
        if caller.isRepeated { view.noteLook(by: caller.process, at: world.uptime()) }
        let count = host.replica.changes.count
        let reply: FuseReply
        do {
            if let other = try await specialReply(to: question, caller) {
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
            let code =
                isGone || error is LengthInDoubt
                ? ESTALE : Task.isCancelled ? EINTR : ErrorNumber.of(error)
            if code == EIO {
                world.log.warning("a program is told of an error", ["error": .text("\(error)")])
            }
            if code == ESTALE, case .open(_, _) = question, !(error is LengthInDoubt) {
                view.noteLook(by: caller.process, at: world.uptime())
            }
            reply = .failed(code)
        }
        return FuseAnswer(reply) { self.end(changed, question, reply, since: count) }
    }

    /// Who reads a thousand files changes nothing when they are closed.
    private func isEndOfReading(_ question: FuseQuestion) -> Bool {
        guard case .release(_, let handle) = question, let file = handles.file(handle) else {
            return false
        }
        return !file.isForWriting
    }

    /// Whether the kernel asks about a node, or in a folder, that is not there any more: by its name it may be another one.
    private func isOutdated(_ question: FuseQuestion) -> Bool {
        if question.isAskedByNumber { return true }
        let folders = question.changedNodes(numbers)
        let areThere = try? host.replica.read { reader in
            try folders.allSatisfy { try reader.node($0)?.trees.local != nil }
        }
        return areThere == false
    }

    package var isCutOff: Bool { host.isCutOff }

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
        var due = view.end(changed)
        if host.replica.changes.count != count {
            due.formUnion(reply.toldNodes)
            if case .lookUp(let name, let folder) = question, reply.toldNodes.isEmpty,
                mayBeThere(name, in: id(folder))
            {
                news?.look(for: KernelView.Place(folder: id(folder), name: name))
            }
        }
        if !due.isEmpty { news?.look(at: due) }
    }

    /// Whether the kernel may have been told of a name just now that there is no such thing, and there is. Of what comes to
    /// be there later, it is told then.
    private func mayBeThere(_ name: String, in folder: NodeID) -> Bool {
        (try? host.replica.read { try $0.child(name, of: folder) != nil }) ?? true
    }

    private func reply(to question: FuseQuestion, _ caller: Caller) async throws -> FuseReply {
        switch question {
        case .lookUp(let name, let folder): try await lookUp(name, in: id(folder))
        case .status(let number, _): try status(of: number)
        case .setStatus(let number, let change, let handle):
            try await setStatus(of: number, change, handle, caller)
        case .target(let number): try target(of: node(number))

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

        case .open(let node, let mode): try await open(node, mode, caller)
        case .create(let name, let folder, let permissions, let mode):
            try await create(name, in: id(folder), Permissions(permissions), mode, caller)
        case .read(let number, let handle, let offset, let count):
            try await read(number, handle, at: offset, count: count, caller)
        case .write(let number, let handle, let offset, let bytes, let appends):
            try await write(number, handle, bytes, at: offset, appends: appends, caller)
        case .release(_, let handle): try await release(handle)
        case .synchronise(let number, let handle): try await synchronise(number, handle)
        case .allocate(let number, let handle, let range, let mode):
            try await allocate(number, handle, range, mode: mode, caller)
        case .seek(let number, let handle, let offset, let forHole):
            try await seek(number, handle, from: offset, forHole: forHole, caller)

        case .openFolder(let node): try await openFolder(id(node))
        case .list(let node, let handle, let after, let capacity, let withStatus):
            try list(
                id(node), handle, after: after,
                FuseListing(capacity: capacity, withStatus: withStatus))
        case .releaseFolder(_, let handle): releaseFolder(handle)
        case .synchroniseFolder: try await synchroniseFolder()

        case .statistics: try await statistics()
        case .attribute(let name, let number): try attribute(name, of: number)
        case .attributes(let number): try attributes(of: number)
        case .setAttribute(let name, let value, let number, let mode):
            try await setAttribute(name, value, of: number, mode, caller)
        case .removeAttribute(let name, let number):
            try await removeAttribute(name, of: number, caller)
        }
    }

    /// Of a folder, which has its own number.
    func id(_ folder: UInt64) -> NodeID { NodeID(rawValue: Int64(bitPattern: folder)) }

    /// - Throws: `LocalError.notFound` where it is the number of what somebody has open, and no node holds: by its name, it may
    ///   be another one.
    func node(_ number: UInt64) throws -> NodeID {
        guard let node = numbers.node(number) else { throw LocalError.notFound }
        return node
    }

    package func forget(_ number: UInt64, times: UInt64) {
        if LocalNumber.isTrash(number) { return trash.forget(number) }
        guard view.forget(number, times: times) else { return }
        numbers.forget(number) {
            view.known($0) != nil
        } isThere: { node in
            // What cannot be looked at is not gone.
            do { return try host.replica.read { try $0.node(node)?.trees.local } != nil } catch {
                return true
            }
        }
        listings.forget(id(number))
    }

    package func abandon(_ handle: UInt64) {
        releaseFolderNow(handle)
        guard let file = handles.remove(fileAt: handle) else { return }
        _ = world.spawn { try? await file.close() }
    }
}
