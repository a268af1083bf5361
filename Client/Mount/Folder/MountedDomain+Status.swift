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

    func status(of id: NodeID, _ handle: UInt64?) throws -> FuseReply {
        if let node = try host.replica.read({ try $0.node(id) }), node.trees.local != nil {
            let status = try status(of: node)
            view.update(node, status)
            return .status(status, validFor: Self.validity)
        }
        // Removed, and perhaps still open.
        guard var status = view.known(id)?.facts.status else { throw LocalError.notFound }
        status.links = 0
        if let file = handles.file(openedAs: id) {
            // Of what was saved by way of it, it is the file itself.
            status.size = try file.size
            if !file.isRemoved { status.links = 1 }
        } else if let size = try host.openSize(of: id) {
            status.size = size
        }
        return .status(status, validFor: .zero)
    }

    func setStatus(
        of id: NodeID, _ change: StatusChange, _ handle: UInt64?, _ caller: Caller
    ) async throws -> FuseReply {
        if let owner = change.owner, owner != user { throw Refusal(EPERM) }
        if let group = change.group, group != self.group { throw Refusal(EPERM) }
        if let size = change.size { try await resize(id, to: size, handle, caller) }
        let (permissions, accessed, modified) = (
            change.permissions.map(Permissions.init), moment(change.accessed),
            moment(change.modified)
        )
        if permissions != nil || accessed != nil || modified != nil {
            guard let (target, kind) = try target(of: id) else {
                return try setStatus(ofRemoved: id, permissions, accessed, modified, handle)
            }
            try await host.setAttributes(of: target, isDated: modified != nil) { attributes in
                permissions?.note(in: &attributes, kind)
                if let accessed { attributes.lastUsed = accessed }
                if let modified { attributes.modified = modified }
            }
        }
        return try status(of: id, handle)
    }

    /// What is said of a node that the kernel knows; nil for what is removed and open.
    /// - Throws: `LocalError.notFound` for what is nowhere any more: the kernel then looks by the name who has it by now.
    private func target(of id: NodeID) throws -> (id: NodeID, kind: NodeKind)? {
        if let local = try host.replica.read({ try $0.node(id)?.trees.local }) {
            return (id, local.kind)
        }
        guard let file = handles.file(openedAs: id) else { throw LocalError.notFound }
        return file.isRemoved ? nil : (file.node, .file)
    }

    /// Only they see it who have it open.
    private func setStatus(
        ofRemoved id: NodeID, _ permissions: Permissions?, _ accessed: Timestamp?,
        _ modified: Timestamp?, _ handle: UInt64?
    ) throws -> FuseReply {
        guard var status = view.known(id)?.facts.status else { throw LocalError.notFound }
        if let permissions { status.permissions = permissions.bits }
        if let accessed { status.accessed = accessed }
        if let modified { status.modified = modified }
        view.set(status, of: id)
        return try self.status(of: id, handle)
    }

    func moment(_ moment: StatusChange.Moment?) -> Timestamp? {
        switch moment {
        case nil: nil
        case .now: world.now()
        case .at(let time): time
        }
    }

    private func resize(
        _ id: NodeID, to size: Int64, _ handle: UInt64?, _ caller: Caller
    ) async throws {
        if let handle {
            let file = try await writer(id, handle, caller)
            try await file.resize(to: size)
            if file.node != id { news?.forgetOutdated(0..<Int64.max, of: file.node) }
            return
        }
        let file = try await host.open(
            id, for: size == 0 ? .replacing : .writing, by: programs.program(of: caller.process))
        do {
            if size > 0 { try await file.resize(to: size) }
        } catch {
            try? await file.close()
            throw error
        }
        try await file.close()
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
