import FileProviderReplica

extension FuseQuestion {
    /// Whether somebody has found the node before, by its name.
    var isAskedByNumber: Bool {
        switch self {
        case .status, .setStatus, .target, .open, .read, .write, .synchronise, .allocate, .seek,
            .openFolder, .attribute, .attributes, .setAttribute, .removeAttribute:
            true
        default: false
        }
    }

    /// The nodes that are not as they were, once it is answered; and the folders whose names are not.
    func changedNodes(_ numbers: KernelNumbers) -> [NodeID] {
        changedNumbers.compactMap { numbers.node($0) }
    }

    private var changedNumbers: [UInt64] {
        switch self {
        case .makeFolder(_, let folder, _), .makeNode(_, let folder, _, _),
            .makeSymlink(_, let folder, _), .remove(_, let folder),
            .removeFolder(_, let folder), .create(_, let folder, _, _):
            [folder]
        case .rename(_, let folder, _, let newFolder, _): [folder, newFolder]
        case .setStatus(let node, _, _), .write(let node, _, _, _, _),
            .release(let node, _), .allocate(let node, _, _, _),
            .setAttribute(_, _, let node, _), .removeAttribute(_, let node):
            [node]
        case .lookUp, .status, .target, .makeLink, .open, .read, .synchronise, .seek,
            .openFolder, .list, .releaseFolder, .synchroniseFolder, .statistics, .attribute,
            .attributes:
            []
        }
    }
}
