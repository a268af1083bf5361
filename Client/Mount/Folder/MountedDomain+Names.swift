import BasketSupport
import FileProviderHost
import FileProviderReplica
import Glibc

// What names stand for.
extension MountedDomain {
    /// The kernel is told of what changes otherwise: for as long as it is not, it need not ask.
    static let validity = Duration.seconds(3600)

    func lookUp(_ name: String, in folder: NodeID) async throws -> FuseReply {
        // Whatever a name is for, the kernel looks it up first.
        guard name.utf8.count <= CaseRule.longestName else { throw Refusal(ENAMETOOLONG) }
        let (isListed, child) = try host.replica.read { reader -> (Bool, StoredNode?) in
            guard try wasListed(folder, reader) else { return (false, nil) }
            return (true, try reader.child(name, of: folder))
        }
        if isListed { return .entry(try entry(child)) }
        try await listOnce(folder)
        return .entry(try entry(name, in: folder))
    }

    /// Nothing can be said of what is in a folder before it was listed: an error, and no missing file, where it cannot be.
    func listOnce(_ folder: NodeID) async throws {
        if try host.replica.read({ try wasListed(folder, $0) }) { return }
        guard host.isCutOff else { return try await host.list(folder) }
        try await cutOffPatience.ask { [host] in try await host.list(folder) }
    }

    private func wasListed(_ folder: NodeID, _ reader: ReplicaReader) throws -> Bool {
        guard let node = try reader.node(folder), node.trees.local != nil else {
            throw LocalError.notFound
        }
        guard node.kind == .folder else { throw LocalError.notAFolder }
        return node.isListed
    }

    func entry(_ name: String, in folder: NodeID) throws -> FuseEntry {
        try entry(host.replica.read { try $0.child(name, of: folder) })
    }

    private func entry(_ child: StoredNode?) throws -> FuseEntry {
        guard let node = child else {
            // The kernel does not know which other names mean the same.
            let validity = host.replica.rule == .posix ? Self.validity : .zero
            return FuseEntry(nil, nameValidFor: validity, statusValidFor: .zero)
        }
        return try tell(node)
    }

    /// The kernel knows the node from now on.
    func tell(_ node: StoredNode) throws -> FuseEntry {
        while true {
            let number = presentNumber(of: node)
            let status = try status(of: node, as: number)
            numbers.noteTold(number)
            view.note(node, status, as: number)
            // The kernel may have forgotten it just before, and the number have gone back to whose it is.
            if numbers.number(of: node.id) == number {
                return entry(try asOpenedSince(status, number), as: number)
            }
            forget(number, times: 1)
        }
    }

    func entry(_ status: FileStatus, as number: UInt64? = nil) -> FuseEntry {
        FuseEntry(
            status, as: number, nameValidFor: Self.validity, statusValidFor: Self.validity)
    }

    func entry(of id: NodeID) throws -> FuseEntry {
        guard let node = try host.replica.read({ try $0.node(id) }) else {
            throw LocalError.notFound
        }
        return try tell(node)
    }

    func target(of id: NodeID) throws -> FuseReply {
        guard let node = try host.replica.read({ try $0.node(id) }), let local = node.trees.local
        else { throw LocalError.notFound }
        guard case .target(let target) = local.content else { throw Refusal(EINVAL) }
        return .target(target)
    }

    // MARK: What comes and goes

    func make(
        _ name: String, in folder: NodeID, _ kind: NodeKind, _ permissions: Permissions,
        target: String? = nil, _ caller: Caller
    ) async throws -> FuseReply {
        try await listOnce(folder)
        var attributes = EntryAttributes.made(kind, at: world.now())
        let inherited =
            kind == .folder ? try permissions.made(in: self.permissions(of: folder)) : permissions
        inherited.note(in: &attributes, kind)
        do {
            let id = try await host.make(
                name, in: folder, kind: kind, target: target, attributes: attributes)
            return .entry(try entry(of: id))
        } catch LocalError.exists(let id) where caller.isRepeated {
            // By the process before, which has died before it could say so.
            return .entry(try entry(of: id))
        }
    }

    private func permissions(of folder: NodeID) throws -> Permissions {
        let attributes = try host.replica.read { try $0.node(folder)?.main?.attributes }
        return Permissions(of: attributes ?? EntryAttributes(), .folder)
    }

    func makeNode(
        _ name: String, in folder: NodeID, mode: UInt32, _ caller: Caller
    ) async throws -> FuseReply {
        guard mode & S_IFMT == S_IFREG || mode & S_IFMT == 0 else { throw Refusal(EOPNOTSUPP) }
        return try await make(name, in: folder, .file, Permissions(mode), caller)
    }

    func makeSymlink(
        _ name: String, in folder: NodeID, to target: String, _ caller: Caller
    ) async throws -> FuseReply {
        try await make(
            name, in: folder, .symlink, .usual(for: .symlink), target: target, caller)
    }

    func remove(
        _ name: String, in folder: NodeID, isFolder: Bool, _ caller: Caller
    ) async throws -> FuseReply {
        guard let node = try host.replica.read({ try $0.child(name, of: folder) }) else {
            if caller.isRepeated { return .done }
            throw LocalError.notFound
        }
        guard (node.kind == .folder) == isFolder else {
            throw isFolder ? LocalError.notAFolder : LocalError.isAFolder
        }
        // It is empty only if nothing is in it elsewhere either.
        if isFolder { try await listOnce(node.id) }
        let number = numbers.number(of: node.id)
        try noteLeaving(node, number)
        try await host.remove(node.id)
        // What was kept while a program saved may be what went.
        view.set(nil as KernelView.Place?, of: number)
        news?.look(at: [node.id])
        return .done
    }

    /// What is about to lose its name stays as it is now for who has it open.
    private func noteLeaving(_ node: StoredNode, _ number: UInt64) throws {
        guard let local = node.trees.local, view.known(number) != nil else { return }
        view.update(node, try status(of: node, as: number), as: number)
        view.keep(local.attributes, of: number)
    }

    /// Nothing is said of who has the second name before it is known what is in its folder.
    private func who(
        has first: (name: String, folder: NodeID), and second: (name: String, folder: NodeID)
    ) async throws -> (StoredNode?, StoredNode?) {
        func holders(_ reader: ReplicaReader) throws -> (StoredNode?, StoredNode?) {
            (
                try reader.child(first.name, of: first.folder),
                try reader.child(second.name, of: second.folder)
            )
        }
        let known = try host.replica.read { reader in
            try wasListed(second.folder, reader) ? try holders(reader) : nil
        }
        if let known { return known }
        try await host.list(second.folder)
        return try host.replica.read { try holders($0) }
    }

    func rename(
        _ name: String, in folder: NodeID, to newName: String, in newFolder: NodeID,
        _ mode: RenameMode, _ caller: Caller
    ) async throws -> FuseReply {
        let (node, other) = try await who(has: (name, folder), and: (newName, newFolder))
        guard let node else {
            if caller.isRepeated, other != nil { return .done }
            throw LocalError.notFound
        }
        switch mode {
        case .exclusive:
            if let other, other.id != node.id { throw LocalError.exists(other.id) }
        case .replacing:
            if let other, other.kind == .folder { try await listOnce(other.id) }
        case .exchanging:
            guard let other else { throw LocalError.notFound }
            if caller.isRepeated,
                let names = try host.replica.read({ try $0.namesExchanged(by: caller.question) }),
                names == [node.id, other.id]
            {
                return .done
            }
            try await host.exchange(node.id, with: other.id, askedBy: caller.question)
            view.set(
                KernelView.Place(folder: folder, name: name), of: numbers.number(of: other.id))
            view.set(
                KernelView.Place(folder: newFolder, name: newName),
                of: numbers.number(of: node.id))
            return .done
        }
        let (number, replaced) = (
            numbers.number(of: node.id), other.map { numbers.number(of: $0.id) }
        )
        if let other, let replaced { try noteLeaving(other, replaced) }
        let heir = try await host.move(
            node.id, to: newFolder, as: newName, replaces: mode == .replacing)
        if let replaced, replaced != number {
            view.set(nil as KernelView.Place?, of: replaced)
        }
        view.set(KernelView.Place(folder: newFolder, name: newName), of: number)
        view.note(.renaming, to: number)
        if heir != node.id {
            // Where a file was saved by way of another one, it has that one's bytes, and not all that was said of it.
            news?.look(at: [node.id, heir])
        }
        return .done
    }
}
