import BasketSupport
import FileProvider
import FileProviderReplica

/// Tells tests of the plan's steps in the words of the API.
struct TestingStepMaker {
    let transaction: ReplicaTransaction
    let preparation: Preparation

    private var reader: ReplicaReader { transaction.reader }

    init(transaction: ReplicaTransaction, contents: ContentFiles) {
        self.transaction = transaction
        preparation = Preparation(transaction: transaction, contents: contents)
    }

    func operation(for next: Outlook) throws -> TestingOperation {
        let node = next.node
        let subject = TestingSubject.step(next.shownStep, node.id, node.trees)
        let version = try reader.domainVersion(of: node)
            .flatMap(NSFileProviderDomainVersion.init(stored:))
        switch next.shownStep {
        case .create, .createAside, .createAgain:
            let source = try preparation.made(node, next.step).template
            return CreationOperation(subject, on: .fileProvider, of: source, version)
        case .modify(let fields):
            return ModificationOperation(
                subject, on: .fileProvider, like: try preparation.changed(node).template, fields,
                base: node.baseVersion, version)
        case .modifyAside:
            return CollisionResolutionOperation(
                subject, on: .fileProvider, try preparation.changed(node, isAside: true).template)
        case .delete, .hide:
            return DeletionOperation(
                subject, on: next.step == .delete ? .fileProvider : .disk, try identifier(of: node),
                base: node.baseVersion, version)
        case .show: return CreationOperation(subject, on: .disk, of: try told(node), version)
        case .change(let fields):
            return ModificationOperation(
                subject, on: .disk, like: try told(node), fields, base: node.baseVersion, version)
        case .bounce:
            return CollisionResolutionOperation(subject, on: .disk, try bounced(node))
        case .adopt, .split:
            return IngestionOperation(
                subject, side: .fileProvider, try identifier(of: node), try told(node))
        case .forget, .exclude, .leaveOver, .include, .nothing, .wait, .download:
            return IngestionOperation(
                subject, side: .disk, try identifier(of: node), try here(node))
        }
    }

    private func identifier(of node: StoredNode) throws -> NSFileProviderItemIdentifier {
        try node.identifier ?? preparation.placeholder(node.id)
    }

    /// As it is here; nil when it is gone.
    private func here(_ node: StoredNode) throws -> ItemTemplate? {
        guard let local = node.trees.local else { return nil }
        // What stays here may lie in a folder that the provider never named.
        let parent =
            try reader.node(local.parent)?.identifier ?? preparation.placeholder(local.parent)
        return ItemTemplate(
            identifier: try identifier(of: node), parent: parent, entry: local,
            version: node.baseVersion, size: node.size, type: node.type)
    }

    /// As the provider has it.
    private func told(_ node: StoredNode) throws -> ItemTemplate {
        try template(node, node.trees.remote)
    }

    /// As the provider has it, under the name that it gets here.
    private func bounced(_ node: StoredNode) throws -> ItemTemplate {
        guard var entry = node.trees.remote else { return try told(node) }
        entry.name = try reader.standIn(for: entry.name, in: entry.parent, for: node.id)
        return try template(node, entry)
    }

    private func template(_ node: StoredNode, _ entry: Entry?) throws -> ItemTemplate {
        guard let entry else {
            throw HostError.badAnswer("node \(node.id.rawValue) is not at the provider")
        }
        var content = node.remoteContentVersion
        if case .version(let version) = entry.content { content = version }
        return ItemTemplate(
            identifier: try identifier(of: node),
            parent: try reader.node(entry.parent)?.identifier ?? .rootContainer, entry: entry,
            version: NSFileProviderItemVersion(
                contentVersion: content ?? NSFileProviderItemVersion.beforeFirstSyncComponent,
                metadataVersion: node.remoteMetadata
                    ?? NSFileProviderItemVersion.beforeFirstSyncComponent),
            size: node.remoteSize, type: node.type)
    }
}
