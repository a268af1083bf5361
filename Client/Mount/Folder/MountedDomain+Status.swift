import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc

// What `stat` says, and what is changed of it.
extension MountedDomain {
    private static let folderSize: Int64 = 4096
    private static let longSize: Int64 = 64 << 10

    /// With what programs have written, and the replica does not know yet.
    func status(of node: StoredNode, links: UInt32 = 1) throws -> FileStatus {
        let written = node.kind == .file ? try host.written(to: node.id) : nil
        let node = written == nil ? try sinceWritten(node) : node
        let entry = node.main
        let attributes = entry?.attributes ?? EntryAttributes()
        let modified =
            written?.modified ?? node.touched ?? attributes.modified ?? attributes.created
            ?? started
        let size = written?.size ?? size(of: node, entry)
        let isHere = written != nil || node.residence == .whole
        let here = isHere ? size : node.here
        // Whether a short file has holes, nobody asks.
        let stored = isHere && size >= Self.longSize ? min(size, host.stored(node)) : here
        return FileStatus(
            node: UInt64(bitPattern: node.id.rawValue), kind: FileStatus.Kind(node.kind),
            permissions: Permissions(of: attributes, node.kind).bits, size: size,
            stored: node.kind == .file ? stored : 0, links: links, user: user, group: group,
            accessed: attributes.lastUsed ?? modified, modified: modified,
            changed: changed(node, written: written?.modified) ?? modified)
    }

    /// As the kernel is told of it: who has something open by a number has that much of it, whatever the node holds by now.
    func status(of node: StoredNode, as number: UInt64) throws -> FileStatus {
        var status = try status(of: node)
        if node.kind == .file, let file = handles.file(openedAs: number) {
            status.size = try file.size
        }
        return status
    }

    /// Once it was noted that the kernel is told of a length: whoever has opened the file before that has not seen it, and goes
    /// on with the length that it had then.
    func asOpenedSince(_ status: FileStatus, _ number: UInt64) throws -> FileStatus {
        guard status.kind == .file, let file = handles.file(openedAs: number) else {
            return status
        }
        var status = status
        status.size = try file.size
        return status
    }

    /// What is being written is noted later.
    private func changed(_ node: StoredNode, written: Timestamp?) -> Timestamp? {
        guard let changed = node.changed else { return written }
        return written.map { max($0, changed) } ?? changed
    }

    /// A file that nobody writes to any more, as it is noted now: whoever has closed it may have noted that since it was
    /// read.
    private func sinceWritten(_ node: StoredNode) throws -> StoredNode {
        guard node.kind == .file, node.main?.content.isEdit == true else { return node }
        return try host.replica.read { try $0.node(node.id) } ?? node
    }

    private func size(of node: StoredNode, _ entry: Entry?) -> Int64 {
        switch (node.kind, entry?.content) {
        case (.folder, _): Self.folderSize
        case (.symlink, .target(let target)?): Int64(target.utf8.count)
        default: node.size
        }
    }

    func status(of number: UInt64) throws -> FuseReply {
        while let id = numbers.node(number),
            let node = try host.replica.read({ try $0.node(id) }), node.trees.local != nil
        {
            if let reply = try show(node, as: number) { return reply }
        }
        // Removed, and perhaps still open; or replaced, and nobody finds it who has not.
        let file = handles.file(openedAs: number)
        guard var status = view.known(number)?.facts.status,
            file != nil || numbers.node(number) != nil
        else { throw LocalError.notFound }
        if let file { status.size = try file.size }
        status.links = 0
        return .status(status, validFor: .zero)
    }

    func setStatus(
        of number: UInt64, _ change: StatusChange, _ handle: UInt64?, _ caller: Caller
    ) async throws -> FuseReply {
        if let owner = change.owner, owner != user { throw Refusal(EPERM) }
        if let group = change.group, group != self.group { throw Refusal(EPERM) }
        if let size = change.size { try await resize(number, to: size, handle, caller) }
        let (permissions, accessed, modified) = (
            change.permissions.map(Permissions.init), moment(change.accessed),
            moment(change.modified)
        )
        if permissions != nil || accessed != nil || modified != nil {
            let node = try await changeNode(of: number, isDated: modified != nil) {
                attributes, kind in
                permissions?.note(in: &attributes, kind)
                if let accessed { attributes.lastUsed = accessed }
                if let modified { attributes.modified = modified }
            }
            if let node, let reply = try show(node, as: number) { return reply }
            // Of what no node holds, those alone see it who have it open. For a node, it is asked anew below.
            if var status = view.known(number)?.facts.status {
                if let permissions { status.permissions = permissions.bits }
                if let accessed { status.accessed = accessed }
                if let modified { status.modified = modified }
                view.set(status, of: number)
            }
        }
        return try status(of: number)
    }

    /// Changes what is said of a number's node. For what is removed and open, nobody else is told.
    /// - Returns: it as it is now; nil where there is none any more.
    /// - Throws: `LocalError.notFound` for what is nowhere any more: the kernel then looks by the name who has it by now.
    private func changeNode(
        of number: UInt64, isDated: Bool,
        _ change: @escaping @Sendable (inout EntryAttributes, NodeKind) -> Void
    ) async throws -> StoredNode? {
        let (named, known) = (numbers.node(number), view.known(number))
        let isOpen =
            known != nil
            && (handles.file(openedAs: number) != nil || listings.isOpen(id(number)))
        guard named != nil || isOpen else { throw LocalError.notFound }
        // The name may have led there a moment ago: of what others have changed, that is said of it as it is now.
        guard let id = named ?? known?.node,
            let kind = try known.flatMap({ NodeKind($0.facts.status.kind) }) ?? whose(number)?.kind
        else { return nil }
        do {
            return try await host.setAttributes(of: id, isDated: isDated) { change(&$0, kind) }
        } catch LocalError.notFound where isOpen {
            return nil
        }
    }

    /// A node as it is said to be now, if that is what a number stands for.
    private func show(_ node: StoredNode, as number: UInt64) throws -> FuseReply? {
        guard presentNumber(of: node) == number else { return nil }
        let status = try status(of: node, as: number)
        guard numbers.node(number) == node.id else { return nil }
        view.update(node, status, as: number)
        return .status(try asOpenedSince(status, number), validFor: Self.validity)
    }

    /// The node that a number stands for; nil where that is gone.
    func whose(_ number: UInt64) throws -> (id: NodeID, kind: NodeKind)? {
        // The name may have led there a moment ago: of what others have changed, that is said of it as it is now.
        guard let id = numbers.node(number) ?? view.known(number)?.node,
            let local = try host.replica.read({ try $0.node(id)?.trees.local })
        else { return nil }
        return (id, local.kind)
    }

    func moment(_ moment: StatusChange.Moment?) -> Timestamp? {
        switch moment {
        case nil: nil
        case .now: world.now()
        case .at(let time): time
        }
    }

    private func resize(
        _ number: UInt64, to size: Int64, _ handle: UInt64?, _ caller: Caller
    ) async throws {
        if let handle {
            let file = try await writer(number, handle, caller)
            try await file.resize(to: size)
            await noteChange(of: file, openedAs: number)
            return view.noteCut(to: size, of: number)
        }
        let opened = try await open(number, size == 0 ? .replacing : .writing, caller)
        do {
            if size > 0 {
                try await opened.file.resize(to: size)
                await noteChange(of: opened.file, openedAs: number)
            }
        } catch {
            _ = try? await release(opened.handle)
            throw error
        }
        _ = try await release(opened.handle)
        view.noteCut(to: size, of: number)
    }
}

extension FileStatus.Kind {
    init(_ kind: NodeKind) {
        switch kind {
        case .file: self = .file
        case .folder: self = .folder
        case .symlink: self = .symlink
        }
    }
}

extension NodeKind {
    /// Nil for what is no item.
    init?(_ kind: FileStatus.Kind) {
        switch kind {
        case .file: self = .file
        case .folder: self = .folder
        case .symlink: self = .symlink
        case .special: return nil
        }
    }
}
