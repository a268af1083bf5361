extension FuseQuestion {
    /// What is asked about: a node, or the folder in which a name is.
    var subject: UInt64 {
        switch self {
        case .lookUp(_, let folder), .makeFolder(_, let folder, _),
            .makeNode(_, let folder, _, _), .makeSymlink(_, let folder, _),
            .makeLink(_, let folder, _), .remove(_, let folder), .removeFolder(_, let folder),
            .rename(_, let folder, _, _, _), .create(_, let folder, _, _):
            folder
        case .status(let node, _), .setStatus(let node, _, _), .target(let node),
            .open(let node, _), .read(let node, _, _, _), .write(let node, _, _, _, _),
            .release(let node, _), .synchronise(let node, _),
            .allocate(let node, _, _, _), .seek(let node, _, _, _), .openFolder(let node),
            .list(let node, _, _, _, _), .releaseFolder(let node, _),
            .synchroniseFolder(let node), .statistics(let node), .attribute(_, let node),
            .attributes(let node), .setAttribute(_, _, let node, _),
            .removeAttribute(_, let node):
            node
        }
    }
}
