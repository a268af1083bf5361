import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

// Which node an answer is of, where two of them turn out to be one.
extension ReplyApplication {
    /// The provider's working set may have told of an item before its creation was answered: then it has a
    /// node already, which gives way. So does one whose identifier the provider now gives to another.
    /// - Returns: false when the node gave way itself.
    func claim(
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
        if case .modify = call.kind { try sendChildren(of: id) }
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

    /// A folder that the provider knows goes into another one: what lies in it is still where it was there.
    private func sendChildren(of id: NodeID) throws {
        for child in try transaction.nodesBelow(id) where child.identifier != nil {
            try transaction.update(child.id) { node in
                node.request.fields.insert(.parentItemIdentifier)
                node.request.options.insert(.mayAlreadyExist)
            }
            try transaction.touch(child.id)
        }
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
        // provider has put somewhere else, it keeps, and so it does what it is sent over something else.
        if !reply.shouldFetch, !other.isFrozen, other.trees.synced?.content != reply.item?.content {
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
        guard local.attributes.created != nil, call.sent.attributes.created != nil else {
            return other.residence == .whole
        }
        return !call.sent.attributes.areMade(asTold: local.attributes)
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
