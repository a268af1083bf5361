import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// What the extension is called for, and what comes of it.
extension DomainHost {
    func work(on id: NodeID) async {
        do {
            try await call(for: id)
        } catch is CancellationError {
            // The next host goes on.
        } catch {
            world.log.error(
                "a node cannot be brought on",
                ["node": .number(id.rawValue), "error": .text("\(error)")])
            try? await world.sleep(Self.firstPause)
        }
        state.withLock { $0.busy.remove(id) }
        replica.changes.poke()
    }

    /// - Parameter isMeant: whether it is still what was to be called, when it is prepared.
    @discardableResult
    func call(
        for id: NodeID,
        if isMeant: @escaping @Sendable (ReplicaTransaction) throws -> Bool = { _ in true }
    ) async throws -> CallOutcome {
        let (contents, open) = (replica.contents, openContents)
        // Which line it stands in is known only once it is prepared; what it hands over is held from then on.
        let category = try replica.read { reader in
            try reader.node(id).map { line(of: $0) } ?? CallCategory.metadata
        }
        let isAwaited = state.withLock { $0.hurried.contains(id) }
        return try await slots.take(category, for: id, isAwaited: isAwaited) {
            if let error = try await putOff(id) { return .failed(error) }
            let prepared = try await openContents.sealed(id) {
                try await replica.write { transaction -> PreparedCall? in
                    guard try isMeant(transaction), !self.saves.isHeld(id) else { return nil }
                    return try Preparation(
                        transaction: transaction, contents: contents, open: open
                    ).prepare(id)
                }
            }
            guard let prepared else { return .needless }
            defer { withExtendedLifetime(prepared.hold) {} }
            do {
                try await perform(prepared)
            } catch is CancellationError where Task.isCancelled {
                throw CancellationError()
            } catch HostError.disconnected {
                // As after a crash: it is planned anew when it is connected again.
                return .failed(HostError.disconnected)
            } catch {
                try await takeIn(error, of: prepared)
                try await hear(error, of: id)
                remark(prepared)
                return .failed(error)
            }
            remark(prepared)
            // Done is done: what fails from here on is no error of the call's.
            try await noteAnswer(to: id)
            return .done
        }
    }

    /// Whatever stands in the way of all calls stands in the way of this one.
    /// - Returns: why it is not made for now; nil where it is.
    private func putOff(_ id: NodeID) async throws -> (any Error)? {
        guard !settings.isInteractive,
            let (error, left) = outage.standing(at: world.uptime(), pause: probePause)
        else { return nil }
        let postponement = Postponement(because: error, left: left)
        try await replica.write { transaction in
            var postponement = postponement
            _ = try postponement.putOff(id, transaction)
        }
        return error
    }

    func line(of node: StoredNode) -> CallCategory {
        guard node.kind == .file, node.trees.local?.content.isEdit == true else { return .metadata }
        return node.size <= settings.smallContent ? .smallContent : .content
    }

    private func takeIn(_ error: any Error, of call: PreparedCall) async throws {
        var failure = Failure(error: error)
        if case .missing(let named) = Reaction(error) {
            let suspect = call.suspect(named)
            do {
                // A word too many here would take away what people have: it is asked for once more.
                if try await !workingSet.isMissing(suspect) {
                    failure = Failure(error: HostError.badAnswer("what it misses is there"))
                }
            } catch HostError.disconnected {
                return
            } catch {
                failure = Failure(error: error)
            }
        }
        let jitter = jitter()
        let final = failure
        try await replica.write {
            try ErrorApplication(transaction: $0, jitter: jitter).apply(final.error, to: call)
        }
    }

    /// Of bytes that nobody else has from now on, or that others have as well, the file tells that itself.
    private func mark(_ id: NodeID) throws {
        try replica.read { reader in
            if let node = try reader.node(id) { try mark(node, reader) }
        }
    }

    private func mark(_ node: StoredNode, _ reader: ReplicaReader) throws {
        guard let file = node.file, node.trees.local != nil else { return }
        try replica.contents.set(node.hasOnlyCopy ? reader.mark(of: node) : nil, at: file)
    }

    /// What was handed over is another file's by now where it was kept beside something else.
    private func remark(_ call: PreparedCall) {
        guard call.contents != nil else { return }
        note {
            try replica.read { reader in
                let node = try reader.node(call.node)
                if let node { try mark(node, reader) }
                guard let held = call.hold?.file, held != node?.file,
                    let holder = try reader.node(file: held)
                else { return }
                try mark(holder, reader)
            }
        }
    }

    /// The same for what is done already, whatever becomes of the note.
    func remark(_ id: NodeID) {
        note { try mark(id) }
    }

    /// The provider has the bytes that it was handed, unless it refuses them. They are forgotten before the answer is noted:
    /// a crash in between must not leave a note that brings them back, on the day that the database is lost, over what has
    /// come since.
    private func unmark(_ call: PreparedCall, _ reply: Reply) {
        guard let hold = call.hold, reply.item != nil,
            call.fields.subtracting(reply.pending).contains(.contents)
        else { return }
        note {
            // A save that went on meanwhile may have given it to what is kept, which nobody has been told of.
            let holder = try replica.read { try $0.node(file: hold.file)?.id }
            if holder == call.node { try replica.contents.set(nil, at: hold.file) }
        }
    }

    private func note(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            world.log.warning("nothing can be noted at a file", ["error": .text("\(error)")])
        }
    }

    /// Where another content was told of an item while the answer about it was on its way, nobody knows which of the
    /// two is the newer: taken for the newer one, an older one would be shown until the next is told.
    private func news(
        of answered: RemoteItem?, since question: Tidings.Question
    ) async -> ItemNews? {
        guard let answered, !question.counts(for: answered.identifier),
            let known = try? replica.read({ try $0.node(identifier: answered.identifier) }),
            let told = known.trees.remote, told.content != answered.content
        else { return nil }
        // Where nobody says, what was told counts.
        return try? await workingSet.tidings.asking { later in
            let item = try await calls.item(
                answered.identifier, replica.request(isSystemRequest: true))
            guard later.counts(for: item.identifier) else { return nil }
            later.settle(item.identifier)
            return ItemNews(item: item, told: told)
        }
    }

    private func perform(_ call: PreparedCall) async throws {
        let request = NSFileProviderRequest(
            isSystemRequest: true,
            domainVersion: call.domainVersion.flatMap(NSFileProviderDomainVersion.init(stored:)))
        switch call.kind {
        case .create(let options):
            try await workingSet.tidings.asking { question in
                let reply = try await calls.create(
                    call.template, fields: call.fields, contents: call.contents,
                    holding: call.hold, options: options, request)
                try reply.require(call.sent.kind)
                try reply.requireNoContainer(but: nil)
                unmark(call, reply)
                let news = await news(of: reply.item, since: question)
                let isOwed = try await replica.write { transaction in
                    try ReplyApplication(
                        transaction: transaction, question: question, news: news
                    ).apply(reply, to: call)
                    // It may have been deleted since it was made, and nobody tells of that.
                    guard question.isBeforeAllWasToldAnew,
                        try transaction.reader.node(call.node) != nil
                    else { return false }
                    try transaction.noteOwed(OwedLook(node: call.node, isListing: false))
                    return true
                }
                if isOwed { lookAgainNow() }
            }
        case .modify(let base, let options):
            try await workingSet.tidings.asking { question in
                let reply = try await calls.modify(
                    call.template, base: base, fields: call.fields, contents: call.contents,
                    holding: call.hold, options: options, request)
                try reply.requireNoContainer(but: call.identifier)
                unmark(call, reply)
                try await replica.write { transaction in
                    try ReplyApplication(transaction: transaction, question: question)
                        .apply(reply, to: call)
                }
            }
        case .delete(let base):
            // Of what stays here, this device has the only copy from now on.
            try await replica.synchronise(call.node)
            try mark(call.node)
            try await workingSet.tidings.asking { question in
                try await calls.delete(call.identifier, base: base, options: [], request)
                try await replica.write { transaction in
                    // Something else may have its identifier by now: that is not said to be gone.
                    question.touch(call.identifier)
                    _ = try transaction.update(call.node) { node in
                        guard call.isStillAbout(node) else { return }
                        node.loseRemote()
                    }
                }
            }
        }
    }
}
