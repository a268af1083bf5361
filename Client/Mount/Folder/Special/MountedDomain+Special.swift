import BasketSupport
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc

// FIFOs, sockets and devices, among what the domain has.
extension MountedDomain {
    /// Nil for a question that is not about any of them.
    func specialReply(
        to question: FuseQuestion, _ caller: Caller
    ) async throws -> FuseReply? {
        if case .makeNode(let name, let folder, let mode, let device) = question,
            SpecialFiles.isSpecial(mode)
        {
            // By the process before, which has died before it could say so.
            if caller.isRepeated, let file = specials.file(name, in: folder),
                file.mode & S_IFMT == mode & S_IFMT
            {
                return .entry(entry(status(of: file)))
            }
            try await requireFree(name, in: folder)
            let file = try specials.make(name, in: folder, mode: mode, device: device)
            try await noteNames(in: [folder])
            return .entry(entry(status(of: file)))
        }
        if specials.isEmpty { return nil }
        if LocalNumber.isSpecial(question.subject) {
            return try replyAbout(question.subject, question)
        }
        let reply = try replyAboutName(question, caller)
        switch question {
        case .remove(_, let folder) where reply != nil: try await noteNames(in: [folder])
        case .rename(_, let folder, _, let newFolder, _) where reply != nil:
            try await noteNames(in: [folder, newFolder])
        default: break
        }
        return reply
    }

    private func noteNames(in folders: [UInt64]) async throws {
        let folders = folders.map { NodeID(rawValue: Int64(bitPattern: $0)) }
        try await host.replica.writeSoon { $0.noteNames(in: folders) }
    }

    private func requireFree(_ name: String, in folder: UInt64) async throws {
        let folder = NodeID(rawValue: Int64(bitPattern: folder))
        try await listOnce(folder)
        if let node = try host.replica.read({ try $0.child(name, of: folder) }) {
            throw LocalError.exists(node.id)
        }
        if specials.file(name, in: UInt64(bitPattern: folder.rawValue)) != nil {
            throw Refusal(EEXIST)
        }
        if let problem = host.replica.rule.problem(with: name) { throw LocalError.badName(problem) }
    }

    private func isShadowed(_ name: String, in folder: UInt64) throws -> Bool {
        try host.replica.read {
            try $0.child(name, of: NodeID(rawValue: Int64(bitPattern: folder))) != nil
        }
    }

    private func replyAboutName(
        _ question: FuseQuestion, _ caller: Caller
    ) throws -> FuseReply? {
        switch question {
        case .lookUp(let name, let folder):
            guard let file = specials.file(name, in: folder), try !isShadowed(name, in: folder)
            else { return nil }
            return .entry(entry(status(of: file)))
        case .remove(let name, let folder):
            guard let file = specials.file(name, in: folder), try !isShadowed(name, in: folder)
            else { return nil }
            try specials.remove(file.number)
            return .done
        case .removeFolder(let name, let folder):
            let node = try host.replica.read {
                try $0.child(name, of: NodeID(rawValue: Int64(bitPattern: folder)))
            }
            if let node, !specials.files(in: node.id).isEmpty { throw LocalError.notEmpty }
            return nil
        case .rename(let name, let folder, let newName, let newFolder, let mode):
            return try rename(name, folder, newName, newFolder, mode, caller)
        default: return nil
        }
    }

    private func rename(
        _ name: String, _ folder: UInt64, _ newName: String, _ newFolder: UInt64,
        _ mode: RenameMode, _ caller: Caller
    ) throws -> FuseReply? {
        let (first, other) = (
            specials.file(name, in: folder), specials.file(newName, in: newFolder)
        )
        // Most renames are about none of them, and need no look at the domain.
        if first == nil, other == nil { return nil }
        let isOfDomain = try isShadowed(name, in: folder)
        guard let file = first, !isOfDomain else {
            guard let other else { return nil }
            // By the process before.
            if caller.isRepeated, !isOfDomain { return .done }
            // One of the domain's takes its place.
            if mode == .replacing, isOfDomain { try specials.remove(other.number) }
            return nil
        }
        guard try mode != .exchanging && !isShadowed(newName, in: newFolder) else {
            throw Refusal(EEXIST)
        }
        if let other, other.number != file.number {
            guard mode == .replacing else { throw Refusal(EEXIST) }
            try specials.remove(other.number)
        }
        _ = try specials.update(file.number) { file in
            file.folder = Int64(bitPattern: newFolder)
            file.name = newName
        }
        return .done
    }

    private func replyAbout(_ number: UInt64, _ question: FuseQuestion) throws -> FuseReply {
        guard let file = specials.file(number) else { throw LocalError.stale }
        switch question {
        case .status: return .status(status(of: file), validFor: Self.validity)
        case .setStatus(_, let change, _):
            if let owner = change.owner, owner != user { throw Refusal(EPERM) }
            if let group = change.group, group != self.group { throw Refusal(EPERM) }
            let changed = try specials.update(number) { file in
                if let permissions = change.permissions {
                    file.mode = file.mode & S_IFMT | permissions
                }
                if let accessed = moment(change.accessed) { file.accessed = accessed.nanoseconds }
                if let modified = moment(change.modified) { file.modified = modified.nanoseconds }
            }
            return .status(status(of: changed), validFor: Self.validity)
        case .attribute, .removeAttribute: throw Refusal(ENODATA)
        case .attributes: return .attribute([])
        case .setAttribute: throw Refusal(EPERM)
        // The kernel sees to what is in them itself.
        default: throw Refusal(ENXIO)
        }
    }

    func status(of file: SpecialFile) -> FileStatus {
        let modified = Timestamp(nanoseconds: file.modified)
        return FileStatus(
            node: file.number, kind: .special(file.mode & S_IFMT), permissions: file.mode & 0o7777,
            size: 0, stored: 0, links: 1, user: user, group: group,
            accessed: Timestamp(nanoseconds: file.accessed), modified: modified,
            changed: modified, device: file.device)
    }
}
