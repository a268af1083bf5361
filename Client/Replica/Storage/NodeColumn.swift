/// The columns of a node, in the order in which every statement names them.
enum NodeColumn {
    static let id: Int32 = 0
    static let identifier: Int32 = 1
    static let trees: Int32 = 2
    static let parent: Int32 = 3
    static let name: Int32 = 4
    static let kind: Int32 = 5
    static let bounced: Int32 = 6
    static let version: Int32 = 7
    static let edit: Int32 = 8
    static let target: Int32 = 9
    static let created: Int32 = 10
    static let modified: Int32 = 11
    static let used: Int32 = 12
    static let flags: Int32 = 13
    static let favorite: Int32 = 14
    static let tags: Int32 = 15
    static let extended: Int32 = 16
    static let typeCreator: Int32 = 17
    static let synced: Int32 = 18
    static let remote: Int32 = 19
    static let metadataVersion: Int32 = 20
    static let baseMetadata: Int32 = 21
    static let size: Int32 = 22
    static let remoteSize: Int32 = 23
    static let capabilities: Int32 = 24
    static let policy: Int32 = 25
    static let type: Int32 = 26
    static let facts: Int32 = 27
    static let residence: Int32 = 28
    static let file: Int32 = 29
    static let frozen: Int32 = 30
    static let turn: Int32 = 31

    static let all = """
        node.id, node.identifier, node.trees, node.parent, node.name, node.kind, node.bounced, \
        node.version, node.edit, node.target, node.created, node.modified, node.used, node.flags, \
        node.favorite, node.tags, node.extended, node.type_creator, node.synced, node.remote, \
        node.metadata_version, node.base_metadata, node.size, node.remote_size, \
        node.capabilities, node.policy, node.type, node.facts, node.residence, node.file, \
        node.frozen, node.turn
        """
}
