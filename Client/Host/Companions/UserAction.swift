import FileProviderReplica

/// Something that a person is about to do in a file manager.
package struct UserAction: Sendable {
    /// As rules call it.
    package enum Kind: String, Sendable {
        case move = "Move"
        case moveOut = "MoveOut"
        case moveIn = "MoveIn"
        case copy = "Copy"
        case copyOut = "CopyOut"
        case copyIn = "CopyIn"
        case trash = "Trash"
        case delete = "Delete"
        case rename = "Rename"
        case create = "Create"
        case excludeFromSync = "ExcludeFromSync"
    }

    package let kind: Kind
    /// None for what comes from elsewhere, or is only being made.
    package let sources: [NodeID]
    /// How many there are, where they come from elsewhere.
    package let sourceCount: Int
    package let destination: NodeID?
    /// Of what is made, or renamed.
    package let newName: String?

    package init(
        _ kind: Kind, _ sources: [NodeID] = [], sourceCount: Int? = nil,
        to destination: NodeID? = nil,
        named newName: String? = nil
    ) {
        self.kind = kind
        self.sources = sources
        self.sourceCount = sourceCount ?? max(1, sources.count)
        self.destination = destination
        self.newName = newName
    }
}
