import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// Makes calls out of plans: looks once more at what is planned, and holds still what is handed over.
struct Preparation {
    let transaction: ReplicaTransaction
    let contents: ContentFiles
    /// Nil where nobody has anything open.
    var open: OpenContents?

    private var reader: ReplicaReader { transaction.reader }

    /// What a new item is called before the provider has named it: the same after a crash, so that the
    /// provider knows a call that it has answered before.
    func placeholder(_ id: NodeID) throws -> NSFileProviderItemIdentifier {
        let identity = try reader.identity(ofWhoAskedFor: id)
        let digits = identity.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return NSFileProviderItemIdentifier("new-\(digits.joined())-\(id.rawValue)")
    }

    /// Nil when nothing of the extension's is needed any more.
    func prepare(_ id: NodeID) throws -> PreparedCall? {
        guard let node = try reader.node(id), node.turn != nil else { return nil }
        // What is handed over holds still. Who writes wakes it, or whoever notes what a writer could not.
        if try reader.isWrittenInPlace(id) || reader.hasWriter(id) {
            try transaction.wait(id, for: NodeID(rawValue: 0))
            return nil
        }
        let around = try reader.neighbours(of: node).around
        let step = Planner.step(for: node, around)
        if step.handsOver, open?.isBeingWritten(id) == true {
            // Somebody has begun to save it since it was claimed. Who writes wakes it, or a quiet moment does.
            try transaction.wait(id, for: NodeID(rawValue: 0))
            return nil
        }
        switch step {
        case .create, .createAside, .createAgain: return try create(node, step)
        case .modify(let fields): return try modify(node, fields)
        case .modifyAside: return try modifyAside(node)
        case .delete: return try delete(node)
        default: return nil
        }
    }

    private func create(_ before: StoredNode, _ step: Step) throws -> PreparedCall? {
        var node = before
        let again = step == .createAgain
        let (template, sent) = try made(node, step)
        node.isUnanswered = true
        node.isFrozen = node.file != nil
        // By that name it is known where it is asked for again.
        if step == .createAside { node.ask([.filename, .parentItemIdentifier], of: sent) }
        if node != before { try transaction.save(node, before: before) }
        return PreparedCall(
            node: node.id, kind: .create(try options(of: node, again: again)),
            template: template, sent: sent, fields: .everything, contents: try url(of: node),
            hold: hold(node), known: nil, isRepeated: before.isUnanswered,
            domainVersion: try reader.domainVersion(of: node))
    }

    /// What the provider is asked to make.
    func made(_ node: StoredNode, _ step: Step) throws -> (template: ItemTemplate, sent: Entry) {
        let elsewhere = node.isUnanswered ? try reader.neighbours(of: node).placeMade : nil
        guard let entry = elsewhere ?? node.trees.local ?? node.trees.synced,
            let parent = try reader.node(entry.parent)?.identifier
        else { throw HostError.badAnswer("node \(node.id.rawValue) has nowhere to be made") }
        var sent = withoutStandIn(entry, node)
        if step == .createAside { sent.name = try reader.nameAside(of: node.id) }
        let new = try placeholder(node.id)
        let identifier = step == .createAgain ? node.identifier ?? new : new
        return (template(identifier, parent, sent, node), sent)
    }

    /// What the provider is asked to make of an item.
    /// - Parameter isAside: whether it gets a name that nobody wants.
    func changed(
        _ node: StoredNode, isAside: Bool = false
    ) throws -> (template: ItemTemplate, sent: Entry) {
        guard let identifier = node.identifier, let local = node.trees.local else {
            throw HostError.badAnswer("node \(node.id.rawValue) is nobody's to change")
        }
        var sent = withoutStandIn(local, node)
        if isAside, let remote = node.trees.remote {
            if try reader.neighbours(of: node).around.upstream != .known {
                sent.parent = remote.parent
            }
            sent.name = try reader.nameAside(of: node.id)
        }
        guard let parent = try reader.node(sent.parent)?.identifier else {
            throw HostError.badAnswer("node \(node.id.rawValue) has nowhere to be")
        }
        return (template(identifier, parent, sent, node), sent)
    }

    /// A stand-in for a taken name is nobody's wish.
    private func withoutStandIn(_ entry: Entry, _ node: StoredNode) -> Entry {
        var sent = entry
        if entry.isBounced, let wanted = node.trees.synced?.name { sent.name = wanted }
        sent.isBounced = false
        return sent
    }

    private func template(
        _ identifier: NSFileProviderItemIdentifier, _ parent: NSFileProviderItemIdentifier,
        _ entry: Entry, _ node: StoredNode
    ) -> ItemTemplate {
        ItemTemplate(
            identifier: identifier, parent: parent, entry: entry, version: node.baseVersion,
            size: node.size, type: node.type)
    }

    private func options(
        of node: StoredNode, again: Bool
    ) throws -> NSFileProviderCreateItemOptions {
        var options: NSFileProviderCreateItemOptions = again ? .deletionConflicted : []
        if try reader.isOffered(node.id) { options.insert(.mayAlreadyExist) }
        return options
    }

    /// It gets a name that nobody wants: where it is to be, if it can go there already.
    private func modifyAside(_ node: StoredNode) throws -> PreparedCall? {
        let goes = try reader.neighbours(of: node).around.upstream == .known
        // Where only its name was changed here, others may have put it somewhere else.
        let isMoved = node.trees.local?.parent != (node.trees.synced ?? node.trees.remote)?.parent
        return try modify(
            node, goes && isMoved ? [.filename, .parentItemIdentifier] : [.filename],
            isAside: true)
    }

    private func modify(
        _ before: StoredNode, _ fields: NSFileProviderItemFields, isAside: Bool = false
    ) throws -> PreparedCall? {
        var node = before
        let (template, sent) = try changed(node, isAside: isAside)
        let hasContents = fields.contains(.contents) && sent.kind == .file
        if hasContents { node.isFrozen = true }
        // Known before anybody can have done it.
        node.ask(fields, of: sent)
        if node != before { try transaction.save(node, before: before) }
        return PreparedCall(
            node: node.id, kind: .modify(base: node.baseVersion, node.request.options),
            template: template, sent: sent, fields: fields,
            contents: hasContents ? try url(of: node) : nil,
            hold: hasContents ? hold(node) : nil, known: node.trees.remote,
            knownMetadata: node.remoteMetadata,
            domainVersion: try reader.domainVersion(of: node))
    }

    private func delete(_ node: StoredNode) throws -> PreparedCall? {
        guard let identifier = node.identifier, let entry = node.trees.synced ?? node.trees.remote
        else {
            throw HostError.badAnswer("node \(node.id.rawValue) has no name to be deleted by")
        }
        if node.trees.local != nil, !node.isUnanswered {
            // It stays here, and must not be taken for gone when the provider has deleted it.
            try transaction.update(node.id) { $0.isUnanswered = true }
        }
        return PreparedCall(
            node: node.id, kind: .delete(base: node.baseVersion),
            template: template(identifier, .rootContainer, entry, node),
            sent: entry, fields: [], contents: nil, hold: nil, known: node.trees.remote,
            domainVersion: try reader.domainVersion(of: node))
    }

    private func hold(_ node: StoredNode) -> ContentHold? {
        node.file.map(contents.hold)
    }

    private func url(of node: StoredNode) throws -> URL? {
        if let file = node.file { return URL(fileURLWithPath: contents.path(file)) }
        guard node.kind == .file, node.residence == .whole else { return nil }
        // No bytes are a content as well: without any file, there would be nothing to be taken over.
        return URL(fileURLWithPath: try contents.emptyFile())
    }
}
