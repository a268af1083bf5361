import BasketSupport

/// Symlinks on their way from an imported tree into the replica. Each waits under its node's number until that is a
/// node: before, where it leads to is told by nothing else that lasts.
struct ArrivingLinks {
    let folder: String
    let files: any FileSystem

    private func path(of id: NodeID) -> String { "\(folder)/\(id.rawValue)" }

    /// One that was taken before stays: the source is another one.
    func take(_ source: String, as id: NodeID) throws(FileError) {
        guard try files.factsIfAny(of: path(of: id)) == nil else { return }
        if try files.factsIfAny(of: folder) == nil { try files.makeFolder(folder) }
        try files.rename(source, to: path(of: id))
    }

    /// Those are nodes.
    func remove(_ ids: [NodeID]) throws(FileError) {
        for id in ids where try files.factsIfAny(of: path(of: id)) != nil {
            try files.remove(path(of: id))
        }
    }

    /// What a crash has left there, with where it leads to.
    func leftovers() throws(FileError) -> [(id: NodeID, path: String, target: String)] {
        guard try files.factsIfAny(of: folder) != nil else { return [] }
        var found: [(NodeID, String, String)] = []
        for number in try files.list(folder).compactMap({ Int64($0) }).sorted() {
            let id = NodeID(rawValue: number)
            found.append((id, path(of: id), try files.target(ofSymlink: path(of: id))))
        }
        return found
    }

    func removeFolder() throws(FileError) {
        if try files.factsIfAny(of: folder) != nil { try files.removeFolder(folder) }
    }
}
