import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// Takes in what the extension answered to a creation or a modification.
///
/// What was handed over is what both sides agree on from now on; where the provider's item says something
/// else, that is a change of the provider's like any other, and where the node was changed again here
/// meanwhile, that is one of ours. So the plan does the rest.
struct ReplyApplication {
    let transaction: ReplicaTransaction
    let question: Tidings.Question
    /// What was asked once more, where something else had been told while the answer was on its way.
    var news: ItemNews?

    private var reader: ReplicaReader { transaction.reader }

    func apply(_ reply: Reply, to call: PreparedCall) throws {
        guard let asked = try reader.node(call.node) else { return }
        let isCreation = if case .create = call.kind { true } else { false }
        // Its identifier may have gone to another node meanwhile, and with it what was done there.
        guard call.isStillAbout(asked) else { return }
        guard var item = reply.item else { return try refuse(call) }
        let twin = try reader.node(identifier: item.identifier)
            .flatMap { $0.id == call.node ? nil : $0 }
        if let twin, try !claim(twin, for: call, reply) { return }
        guard let before = try reader.node(call.node) else { return }
        var node = before
        node.isUnanswered = false
        node.identifier = item.identifier
        let taken = call.fields.subtracting(reply.pending)
        let isRenamed = !taken.contains(.contents) && renamesContent(before, reply, item)
        if !taken.contains(.contents), !reply.shouldFetch, !isRenamed,
            let known = before.trees.remote?.content
        {
            // What else has become of the content is told by the working set.
            item.content = known
            item.size = before.remoteSize
        }
        var agreed = isCreation ? call.sent : before.trees.synced ?? call.sent
        agreed.take(taken, from: call.sent)
        let earlier = before.unheard.filter { $0 != UnheardChange(call.fields, of: call.sent) }
        var remote = try entry(of: item, besides: agreed, call)
        unsay(reply.pending, of: &remote, before, call)
        if !isCreation, isToldOtherwise(before, item, call) {
            var told = before.trees.remote
            told?.take(item.unsaid, from: remote)
            // The working set has told something else meanwhile, and nobody knows which of the two is the
            // newer. Asked for once more, over what is known now, the same change does no harm.
            if told != remote { return try doubt(before, reply, item.content, call) }
        }
        if taken.contains(.contents), call.sent.kind == .file {
            let name: EntryContent = reply.shouldFetch ? .handedOver : item.content
            agreed.content = name
            if reply.shouldFetch, let twin, let local = twin.trees.local, local.content.isEdit,
                node.trees.local?.content == local.content
            {
                // What was written to the other one was written over what that had.
                agreed.content = twin.trees.synced?.content ?? name
            }
            if node.trees.local?.content == call.sent.content { node.trees.local?.content = name }
        }
        if isRenamed {
            node.trees.local?.content = item.content
            agreed.content = item.content
        } else if reply.shouldFetch, !taken.contains(.contents), before.kind == .file,
            node.residence != .dataless, node.trees.local?.content == item.content
        {
            // It is to be fetched anew, though its name is the same.
            node.trees.local?.content = .handedOver
            agreed.content = .handedOver
        }
        if isCreation, !reply.pending.isEmpty {
            // What the provider has not taken yet is asked for again.
            agreed.take(reply.pending, from: remote)
        }
        if node.trees.local == nil, call.sent.kind == .file,
            !taken.contains(.contents) || call.contents == nil, item.content != call.sent.content
        {
            // Removed here before anybody had seen what is there: whoever changed it since then keeps it.
            agreed.content = .handedOver
        }
        if !isCreation {
            // An earlier word of this device stands in the way of the newer one, and nobody else's: that is sent again.
            let echoes = StoredNode.echoes(of: earlier, in: remote)
            agreed.take(
                echoes.intersection(taken).intersection(remote.fields(differingFrom: call.sent)),
                from: remote)
        }
        node.unheard = []
        // What is to appear here anew, nobody has removed: agreed on, it would look like that.
        let isToAppear = !isCreation && before.trees.local == nil && before.trees.synced == nil
        node.trees.synced = isToAppear ? nil : agreed
        node.trees.remote = remote
        node.remoteMetadata = item.metadataVersion
        node.remoteContentVersion = item.contentVersion
        node.agreeOnMetadata()
        // Nobody here has seen what is in it.
        if isCreation, node.trees.local == nil { node.syncedContentVersion = nil }
        node.remoteSize = item.size
        node.capabilities = item.capabilities
        node.isUploading = !item.isUploaded
        node.policy = item.policy
        node.type = item.type
        node.facts = item.facts
        if question.counts(for: item.identifier) {
            question.settle(item.identifier)
        } else if let twin, let news, twin.trees.remote == news.told {
            node.trees.remote = try entry(of: news.item, besides: agreed, call)
            node.remoteMetadata = news.item.metadataVersion
            node.remoteContentVersion = news.item.contentVersion
            node.remoteSize = news.item.size
        } else if let twin, twin.trees.remote != nil {
            // The answer took its time: what the working set has told of it since then is newer.
            node.trees.remote = twin.trees.remote
            node.remoteMetadata = twin.remoteMetadata
            node.remoteContentVersion = twin.remoteContentVersion
            node.remoteSize = twin.remoteSize
        }
        if !isCreation, reply.pending == call.fields { node.muted.formUnion(call.fields) }
        // What is never taken is not asked for for ever.
        node.request.settle(reply.pending == call.fields ? call.fields : taken)
        if node.trees.local?.content.isEdit != true { node.isFrozen = false }
        // What is whole, and the same on both sides, needs nothing to fetch a difference to.
        if node.residence == .whole, !node.isFrozen { node.basis = nil }
        if node.trees.local == nil { node.letGoOfContent() }
        if node.residence == .dataless, node.trees.local?.content == item.content {
            node.size = item.size
        }
        // What else is in a folder that was there already, nobody has told yet.
        if isCreation, node.kind == .folder,
            try call.isRepeated || question.misses(itemsOf: item.identifier)
                || reader.isOffered(node.id)
        {
            node.isListed = false
        }
        try transaction.save(node, before: before)
        if isCreation { try transaction.endOffer(of: node.id) }
        try transaction.forgetTrouble(of: node.id)
        // It may have been made, and deleted by somebody else, before that was answered.
        if isCreation, question.isBeforeTheEnd(of: item.identifier) {
            try transaction.forget(item.identifier)
        }
    }

    /// Whether the reply to a change that had nothing to do with the content gives that another name: the provider says
    /// so, as long as it does not want to be asked for it.
    private func renamesContent(
        _ before: StoredNode, _ reply: Reply, _ item: RemoteItem
    ) -> Bool {
        guard !reply.shouldFetch, before.kind == .file, let local = before.trees.local,
            let synced = before.trees.synced, local.content == synced.content,
            synced.content != .handedOver,
            [synced.content, item.content].contains(before.trees.remote?.content)
        else { return false }
        return item.content != synced.content
    }

    /// What the provider has left for later, it has not stored, whatever its item says: asked for again, it is to be
    /// something new.
    private func unsay(
        _ pending: NSFileProviderItemFields, of entry: inout Entry, _ before: StoredNode,
        _ call: PreparedCall
    ) {
        if case .create = call.kind {
            var usual = entry
            usual.attributes = .made(entry.kind, at: nil)
            entry.take(pending.subtracting(Self.notBlank), from: usual)
        } else if let known = before.trees.remote {
            entry.take(entry.kind == .file ? pending.subtracting(.contents) : pending, from: known)
        }
    }

    private static let notBlank: NSFileProviderItemFields = [
        .filename, .parentItemIdentifier, .contents,
    ]

    /// Whether something has been told of an item since the change was sent, other than what was answered. It may be as
    /// it was before the change: this device's own word was told, and then that somebody has taken it back.
    private func isToldOtherwise(
        _ node: StoredNode, _ answered: RemoteItem, _ call: PreparedCall
    ) -> Bool {
        if node.trees.remote != call.known { return true }
        return node.remoteMetadata != call.knownMetadata
            && node.remoteMetadata != answered.metadataVersion
    }

    private func entry(
        of item: RemoteItem, besides agreed: Entry, _ call: PreparedCall
    ) throws -> Entry {
        let parent = try reader.id(of: item.parent) ?? call.sent.parent
        var entry = Entry(
            parent: parent, name: item.name, kind: item.kind, content: item.content,
            attributes: item.attributes)
        entry.take(item.unsaid, from: agreed)
        return entry
    }

    private func doubt(
        _ before: StoredNode, _ reply: Reply, _ content: EntryContent, _ call: PreparedCall
    ) throws {
        var node = before
        if call.fields.subtracting(reply.pending).contains(.contents), !reply.shouldFetch,
            before.trees.local?.content != call.sent.content
        {
            // What was written here since then is written over what this device has sent.
            node.trees.synced?.content = content
        }
        try transaction.save(node, before: before)
    }

    /// Neither item nor error: the provider does not want it, and it goes here, unless it was changed again
    /// meanwhile.
    private func refuse(_ call: PreparedCall) throws {
        guard let before = try reader.node(call.node) else { return }
        if case .create = call.kind, before.trees.local?.content == call.sent.content {
            return try transaction.refuse(call.node)
        }
        var node = before
        node.isUnanswered = false
        node.unheard = []
        node.trees.remote = nil
        var agreed = call.sent
        agreed.isBounced = node.trees.local?.isBounced ?? false
        node.trees.synced = agreed
        try transaction.save(node, before: before)
    }

    // MARK: Identity

    /// The provider's working set may have told of an item before its creation was answered: then it has a
    /// node already, which gives way. So does one whose identifier the provider now gives to another.
    /// - Returns: false when the node gave way itself.
    private func claim(
        _ other: StoredNode, for call: PreparedCall, _ reply: Reply
    ) throws -> Bool {
        let id = call.node
        if let node = try reader.node(id), try givesWay(node, to: other, call) {
            var gone = node
            gone.trees = NodeTrees()
            try transaction.save(gone, before: node)
            return false
        }
        let isTaken = try takeOver(other, call, reply)
        // What somebody has written to it here, and cannot be this one's, becomes something new beside that.
        let stays = !isTaken && other.trees.local?.content.isEdit == true
        let place = try place(of: other, stays, for: call)
        // Before that one's children come into it: it may lie in one of them.
        if let place { try put(id, at: place) }
        let heirs = try transaction.nodesBelow(other.id)
        for child in heirs where child.id != id { try adopt(child, from: other.id, by: id) }
        var gone = other
        gone.trees = NodeTrees(local: stays ? other.trees.local : nil)
        if stays { gone.identifier = nil }
        if isTaken { gone.file = nil }
        try transaction.save(gone, before: isTaken ? other.with { $0.file = nil } : other)
        // The name is free only now.
        if let place { try put(id, at: place) }
        if !stays { try takeOverWords(of: other, call) }
        return true
    }

    private func givesWay(
        _ node: StoredNode, to other: StoredNode, _ call: PreparedCall
    ) throws -> Bool {
        // It was taken away here, and the other one either came back by the working set, and somebody has
        // begun to use it; or it was put in its place before the provider had heard of the first.
        if node.trees.local == nil { return try hasOwnLife(other, call) }
        // It was looked for by its name alone, as nothing of it is here, and nobody has said anything of it since.
        // Somebody has written to the other one.
        guard case .create(let options) = call.kind, options.contains(.mayAlreadyExist),
            node.kind == .file, node.residence == .dataless, call.contents == nil
        else { return false }
        return other.trees.local?.content.isEdit == true
            && node.trees.local?.fields(differingFrom: call.sent).isEmpty == true
    }

    /// Where this one lies from now on, if not where it is: somebody may have put it into the other one, or the
    /// other one somewhere else.
    /// - Parameter stays: whether the other one has a life of its own from now on.
    private func place(
        of other: StoredNode, _ stays: Bool, for call: PreparedCall
    ) throws -> Entry? {
        let id = call.node
        if try reader.lies(id, below: other.id) { return other.trees.local }
        let place: NSFileProviderItemFields = [.filename, .parentItemIdentifier]
        guard !stays, !other.changesHere.isDisjoint(with: place),
            let own = try reader.node(id)?.trees.local,
            own.fields(differingFrom: call.sent).isDisjoint(with: place),
            try !reader.lies(other.id, below: id)
        else { return nil }
        return other.trees.local
    }

    /// What somebody has said of the other one besides its place and its content, and not of this one.
    private func takeOverWords(of other: StoredNode, _ call: PreparedCall) throws {
        guard let local = other.trees.local, let own = try reader.node(call.node)?.trees.local
        else { return }
        let words = other.changesHere
            .subtracting([.contents, .filename, .parentItemIdentifier])
            .subtracting(own.fields(differingFrom: call.sent))
        guard !words.isEmpty else { return }
        try transaction.update(call.node) { $0.trees.local?.take(words, from: local) }
    }

    private func put(_ id: NodeID, at place: Entry) throws {
        let name = try reader.freeName(like: place.name, in: place.parent)
        try transaction.update(id) { node in
            node.trees.local?.parent = place.parent
            node.trees.local?.name = name
        }
    }

    /// What was written to the other one is the newest of this one, unless somebody has changed that, too.
    private func takeOver(
        _ other: StoredNode, _ call: PreparedCall, _ reply: Reply
    ) throws -> Bool {
        // Bytes that the provider has not taken are nowhere else.
        guard call.contents != nil, call.fields.subtracting(reply.pending).contains(.contents)
        else {
            return false
        }
        guard let local = other.trees.local, local.content.isEdit, other.residence == .whole,
            try !reader.isWrittenInPlace(other.id), let before = try reader.node(call.node),
            before.kind == .file, before.trees.local?.content == call.sent.content,
            try !reader.isWrittenInPlace(call.node)
        else { return false }
        var node = before
        node.trees.local?.content = local.content
        node.trees.local?.attributes.modified = local.attributes.modified
        node.file = other.file
        node.size = other.size
        node.residence = .whole
        node.isFrozen = other.isFrozen
        // The file is one of them's at any moment.
        var without = other
        without.file = nil
        try transaction.save(without, before: other.with { $0.file = nil })
        try transaction.save(node, before: before)
        // It may have been sent more than once, the last time with bytes that nobody had seen in the other one. What the
        // provider has put somewhere else, it keeps.
        if !reply.shouldFetch, other.trees.synced?.content != reply.item?.content {
            try transaction.keepContent(of: before)
        }
        return true
    }

    /// Whether a node is more than what the working set has told of a creation that was not answered yet.
    private func hasOwnLife(_ other: StoredNode, _ call: PreparedCall) throws -> Bool {
        guard let local = other.trees.local else { return false }
        if case .create(let options) = call.kind, options.contains(.mayAlreadyExist) { return true }
        if try isInUse(other) { return true }
        // What is made on a device has its own date, which the provider keeps or not.
        guard let own = local.attributes.created, let asked = call.sent.attributes.created else {
            return other.residence == .whole
        }
        return own != asked
    }

    private func isInUse(_ node: StoredNode) throws -> Bool {
        guard let local = node.trees.local else { return false }
        return try local.content.isEdit || !node.changesHere.isEmpty || reader.hasChildren(node.id)
    }

    private func adopt(_ child: StoredNode, from old: NodeID, by new: NodeID) throws {
        var node = child
        func move(_ entry: inout Entry?) {
            if entry?.parent == old { entry?.parent = new }
        }
        move(&node.trees.synced)
        move(&node.trees.remote)
        if let local = node.trees.local, local.parent == old {
            if try reader.child(local.name, of: new) == nil {
                move(&node.trees.local)
            } else if try isInUse(child) || child.trees.synced == nil {
                // A stand-in for what was agreed on; a name of its own for what is only here.
                node.trees.local?.parent = new
                node.trees.local?.name = try transaction.reader.freeName(like: local.name, in: new)
                node.trees.local?.isBounced =
                    child.trees.synced != nil && !child.changesHere.contains(.filename)
            } else {
                node.trees.local = nil
                node.trees.synced = nil
                node.letGoOfContent()
            }
        }
        try transaction.save(node, before: child)
    }
}
