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

    var reader: ReplicaReader { transaction.reader }

    /// Whether what was changed turns out to be another item.
    private func isAnother(_ item: RemoteItem, than call: PreparedCall) -> Bool {
        guard case .modify = call.kind else { return false }
        return item.identifier != call.identifier
    }

    /// Whether what was found is another's, who has made the same, where only what this device has made is to be moved, or to
    /// go from the provider. What is made on a device has its own date, which most providers keep.
    private func isSomebodyElses(
        _ item: RemoteItem, _ asked: StoredNode, _ call: PreparedCall
    ) throws -> Bool {
        // Nobody else gives such a name.
        if try reader.isAside(call.sent, call.node) { return false }
        let isToGo =
            if let local = asked.trees.local {
                try !local.isAt(call.sent)
                    && (call.isRepeated || reader.placeMade(of: asked) != nil)
            } else {
                call.isRepeated
            }
        guard isToGo, item.attributes.created != nil else { return false }
        return !call.sent.attributes.areMade(asTold: item.attributes)
    }

    private func forgetCreation(_ call: PreparedCall) throws {
        try transaction.update(call.node) { node in
            node.isUnanswered = false
            node.unheard = []
        }
        try transaction.forgetTrouble(of: call.node)
    }

    func apply(_ reply: Reply, to call: PreparedCall) throws {
        guard let asked = try reader.node(call.node) else { return }
        let isCreation = if case .create = call.kind { true } else { false }
        // Its identifier may have gone to another node meanwhile, and with it what was done there.
        guard call.isStillAbout(asked) else { return }
        let reply = reply.limited(to: call.fields)
        guard var item = reply.item else { return try refuse(call) }
        if isCreation, try isSomebodyElses(item, asked, call) {
            // What was to be made was not: it stays here, and theirs stays there.
            return try forgetCreation(call)
        }
        let twin = try reader.node(identifier: item.identifier)
            .flatMap { $0.id == call.node ? nil : $0 }
        if let twin, try !claim(twin, for: call, reply) { return }
        guard let before = try reader.node(call.node) else { return }
        var node = before
        node.isUnanswered = false
        node.identifier = item.identifier
        let taken = call.fields.subtracting(reply.pending)
        let isRenamed = !taken.contains(.contents) && renamesContent(before, reply, item, call)
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
        var remote = try entry(of: item, besides: agreed, call, before)
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
            if let twin, reply.shouldFetch || twin.isFrozen, let local = twin.trees.local,
                local.content.isEdit, node.trees.local?.content == local.content
            {
                // What was written to the other one was written over what that had, and may have been sent so.
                agreed.content = twin.trees.synced?.content ?? name
            }
            if node.trees.local?.content == call.sent.content { node.trees.local?.content = name }
        }
        if isRenamed {
            node.trees.local?.content = item.content
            agreed.content = item.content
        } else if isAnother(item, than: call), !taken.contains(.contents), before.kind == .file {
            // The one's versions are called as the other's may be, and say nothing of them.
            if node.residence != .dataless, node.trees.local?.content.isEdit == false {
                node.trees.local?.content = .handedOver
            }
            agreed.content = .handedOver
        } else if reply.shouldFetch, !taken.contains(.contents), before.kind == .file,
            node.residence != .dataless, node.trees.local?.content == item.content,
            case .modify(let base, _) = call.kind, item.content == .version(base.contentVersion)
        {
            // It is to be fetched anew, though its name is the same.
            node.trees.local?.content = .handedOver
            agreed.content = .handedOver
        }
        if isCreation, !reply.pending.isEmpty {
            // What the provider has not taken yet is asked for again.
            agreed.take(reply.pending, from: remote)
        }
        if isCreation, node.trees.local == nil, call.sent.kind == .file,
            !taken.contains(.contents) || call.contents == nil, item.content != call.sent.content
        {
            // Removed here before anybody had seen what is there: whoever changed it since then keeps it.
            agreed.content = .handedOver
        }
        // An earlier word of this device stands in the way of the newer one, and nobody else's: that is sent again.
        func ownWords(in remote: Entry) -> NSFileProviderItemFields {
            let others = remote.fields(differingFrom: agreed)
            let echoes = StoredNode.echoes(of: earlier, in: remote)
            let own = echoes.intersection(others)
            guard let base = before.trees.synced else { return own }
            // For that one's sake the provider may have left out what nobody else has changed either: what else was said, and
            // of a place, one half for the other's.
            let ofContent: NSFileProviderItemFields = [.contents, .contentModificationDate]
            let place: NSFileProviderItemFields = [.filename, .parentItemIdentifier]
            let news = call.known.map { remote.fields(differingFrom: $0) } ?? []
            var leftOut = others.subtracting(remote.fields(differingFrom: base))
                .subtracting(ofContent)
            if own.isEmpty {
                leftOut.formIntersection(
                    echoes.isDisjoint(with: news.intersection(place)) ? [] : place)
            }
            return own.union(leftOut)
        }
        agreed.take(ownWords(in: remote), from: remote)
        node.unheard = []
        // What is to appear here anew, nobody has removed: agreed on, it would look like that.
        let isToAppear = !isCreation && before.trees.local == nil && before.trees.synced == nil
        node.trees.synced = isToAppear ? nil : agreed
        node.trees.remote = remote
        node.remoteMetadata = item.metadataVersion
        // Of a content that was not taken in, the name is not either.
        if remote.content == reply.item?.content {
            node.remoteContentVersion = item.contentVersion
        }
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
            node.trees.remote = try entry(of: news.item, besides: agreed, call, before)
            node.remoteMetadata = news.item.metadataVersion
            node.remoteContentVersion = news.item.contentVersion
            node.remoteSize = news.item.size
        } else if let twin, var told = twin.trees.remote {
            // The answer took its time: what the working set has told of it since then is newer. What this device has said of
            // it was not known of the twin.
            for known in [call.sent, agreed] + before.unheard.map(\.entry) {
                told.attributes.sharpenDates(by: known.attributes)
            }
            node.trees.remote = told
            node.trees.synced?.take(ownWords(in: told), from: told)
            // Or it is older, and where this device has put it is told soon.
            let place: NSFileProviderItemFields = [.filename, .parentItemIdentifier]
            let said = taken.subtracting(remote.fields(differingFrom: call.sent))
                .union(StoredNode.echoes(of: earlier, in: remote)).intersection(place)
            node.ask(said.intersection(remote.fields(differingFrom: told)), of: remote)
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
        _ before: StoredNode, _ reply: Reply, _ item: RemoteItem, _ call: PreparedCall
    ) -> Bool {
        guard !reply.shouldFetch, before.kind == .file, let local = before.trees.local,
            let synced = before.trees.synced, local.content == synced.content,
            synced.content != .handedOver,
            // What was told before the call is not here yet, whatever the reply says.
            call.known?.content == synced.content,
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
        of item: RemoteItem, besides agreed: Entry, _ call: PreparedCall, _ before: StoredNode
    ) throws -> Entry {
        let parent = try reader.id(of: item.parent) ?? call.sent.parent
        var entry = Entry(
            parent: parent, name: item.name, kind: item.kind, content: item.content,
            attributes: item.attributes)
        entry.take(item.unsaid, from: agreed)
        for known in [call.sent, agreed] + before.unheard.map(\.entry) {
            entry.attributes.sharpenDates(by: known.attributes)
        }
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
        if case .create = call.kind, let local = before.trees.local {
            let isThere =
                try local.isAt(call.sent) || local.isBounced || reader.isAside(call.sent, call.node)
            if local.content == call.sent.content, isThere {
                return try transaction.refuse(call.node)
            }
            // Nobody has refused what it is by now: that is asked for as something new.
            return try forgetCreation(call)
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
}
