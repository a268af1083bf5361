extension FuseQuestion {
    /// Whether something may be another way after it.
    var changesSomething: Bool {
        switch self {
        case .setStatus, .makeFolder, .makeNode, .makeSymlink, .makeLink, .remove, .removeFolder,
            .rename, .create, .write, .allocate, .setAttribute, .removeAttribute:
            true
        case .open(_, let mode): mode.writes || mode.truncates
        case .lookUp, .status, .target, .read, .release, .synchronise, .seek, .openFolder, .list,
            .releaseFolder, .synchroniseFolder, .statistics, .attribute, .attributes:
            false
        }
    }
}
