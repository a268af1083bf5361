import BasketSupport
import FileProviderHost
import FileProviderReplica
import Glibc

// The trash as desktops look for it: a folder `.Trash-UID` at the top, with `files` in it, which is the domain's own trash,
// and `info`, where each of them has a note. It is in no listing.
extension MountedDomain {
    private static let (filesName, notesName) = ("files", "info")
    private static let noteSuffix = ".trashinfo"

    private var trashName: String { ".Trash-\(user)" }
    /// The names on the way to what is in the trash, from the folder's top.
    var trashPath: [String] { [trashName, Self.filesName] }
    private static let trash = UInt64(bitPattern: NodeID.trash.rawValue)
    private static let root = UInt64(bitPattern: NodeID.root.rawValue)

    /// Nil for a question that is not about it.
    func trashReply(to question: FuseQuestion) async throws -> FuseReply? {
        let subject = question.subject
        if LocalNumber.isTrash(subject) { return try await replyInTrash(question) }
        guard host.hasTrash else { return nil }
        switch question {
        case .lookUp(let name, let folder) where folder == Self.root && name == trashName:
            return .entry(entry(folderStatus(LocalNumber.trashHome)))
        case .makeFolder(let name, let folder, _) where folder == Self.root && name == trashName:
            throw Refusal(EEXIST)
        case .rename(let name, let folder, let newName, Self.trash, _) where folder != Self.trash:
            try notePlace(of: name, in: id(folder))
            trash.end(newName + Self.noteSuffix)
            // As into any other folder.
            return nil
        default: return nil
        }
    }

    /// Whoever restores it is told where it was. Of what is in no trash, nobody asks.
    private func notePlace(of name: String, in folder: NodeID) throws {
        let found = try host.replica.read { reader in
            try reader.child(name, of: folder).map { ($0.id, try reader.path(of: $0.id)) }
        }
        guard let (node, path) = found else { return }
        trash.keep(TrashNote(path: path.joined(separator: "/"), date: world.now()), of: node)
    }

    private func replyInTrash(_ question: FuseQuestion) async throws -> FuseReply {
        switch question.subject {
        case LocalNumber.trashHome: try await replyInHome(question)
        case LocalNumber.trashNotes: try await replyInNotes(question)
        default: try replyAboutNote(question.subject, question)
        }
    }

    private func folderStatus(_ number: UInt64) -> FileStatus {
        FileStatus(
            node: number, kind: .folder, permissions: 0o700, size: 4096, stored: 0, links: 2,
            user: user, group: group, accessed: started, modified: started, changed: started)
    }

    // MARK: .Trash-UID

    private func replyInHome(_ question: FuseQuestion) async throws -> FuseReply {
        switch question {
        case .lookUp(Self.filesName, _): .entry(try self.entry(of: .trash))
        case .lookUp(Self.notesName, _):
            .entry(entry(folderStatus(LocalNumber.trashNotes)))
        case .lookUp: .entry(FuseEntry(nil, nameValidFor: .zero, statusValidFor: .zero))
        case .list(_, _, let after, let capacity, let withStatus):
            .listing(
                try list(
                    [
                        (Self.filesName, try status(ofNode: .trash)),
                        (Self.notesName, folderStatus(LocalNumber.trashNotes)),
                    ], after: after, FuseListing(capacity: capacity, withStatus: withStatus)))
        default: try await replyAboutFolder(question)
        }
    }

    private func status(ofNode id: NodeID) throws -> FileStatus {
        guard let node = try host.replica.read({ try $0.node(id) }) else {
            throw LocalError.notFound
        }
        return try status(of: node)
    }

    private func list(
        _ entries: [(name: String, status: FileStatus)], after: Int64, _ room: FuseListing
    ) throws -> FuseListing {
        var listing = room
        let own = [(".", folderStatus(LocalNumber.trashHome))]
        let all = own + [("..", own[0].1)] + entries
        for (place, (name, status)) in all.enumerated() where Int64(place) >= after {
            // Of those with a status, the kernel would believe that it has looked them up.
            let entry = FuseEntry(status, nameValidFor: .zero, statusValidFor: .zero)
            guard listing.add(name, entry, number: Int64(place) + 1) else { break }
        }
        return listing
    }

    private func replyAboutFolder(_ question: FuseQuestion) async throws -> FuseReply {
        switch question {
        case .status(let number, _):
            .status(folderStatus(number), validFor: Self.validity)
        case .setStatus(let number, _, _):
            .status(folderStatus(number), validFor: Self.validity)
        case .openFolder: .opened(OpenHandle(number: 0, keepsCache: false))
        case .releaseFolder, .synchroniseFolder: .done
        case .statistics: try await statistics()
        case .attribute, .removeAttribute: throw Refusal(ENODATA)
        case .attributes: .attribute([])
        case .makeFolder(let name, _, _) where [Self.filesName, Self.notesName].contains(name):
            throw Refusal(EEXIST)
        default: throw Refusal(EACCES)
        }
    }

    // MARK: .Trash-UID/info

    private func replyInNotes(_ question: FuseQuestion) async throws -> FuseReply {
        switch question {
        case .lookUp(let name, _):
            let status = try await noteStatus(name)
            return .entry(FuseEntry(status, nameValidFor: .zero, statusValidFor: .zero))
        case .create(let name, _, _, _):
            guard try await noteStatus(name) == nil else { throw Refusal(EEXIST) }
            guard name.hasSuffix(Self.noteSuffix) else { throw Refusal(EACCES) }
            let draft = try trash.begin(name)
            return .created(
                FuseEntry(status(of: draft), nameValidFor: .zero, statusValidFor: .zero),
                OpenHandle(number: 0, keepsCache: false))
        case .remove(let name, _):
            // With what it was about, it goes by itself.
            trash.end(name)
            return .done
        case .rename(let name, _, let newName, LocalNumber.trashNotes, _):
            guard trash.draft(name) != nil else { throw Refusal(EACCES) }
            trash.rename(name, to: newName)
            return .done
        case .list(_, _, let after, let capacity, let withStatus):
            try await listOnce(.trash)
            let nodes = try host.replica.read { reader in
                try reader.childNumbers(of: .trash).compactMap { try reader.node($0) }
            }
            let entries = try nodes.sorted { $0.id < $1.id }.compactMap { node in
                try node.trees.local.map { local in
                    (local.name + Self.noteSuffix, try status(ofNoteOf: node))
                }
            }
            return .listing(
                try list(
                    entries, after: after, FuseListing(capacity: capacity, withStatus: withStatus)))
        default: return try await replyAboutFolder(question)
        }
    }

    private func noteStatus(_ name: String) async throws -> FileStatus? {
        if let draft = trash.draft(name) { return status(of: draft) }
        guard name.hasSuffix(Self.noteSuffix) else { return nil }
        try await listOnce(.trash)
        let item = String(name.dropLast(Self.noteSuffix.count))
        let node = try host.replica.read { try $0.child(item, of: .trash) }
        return try node.map { try status(ofNoteOf: $0) }
    }

    private func status(ofNoteOf node: StoredNode) throws -> FileStatus {
        noteStatus(trash.number(of: node.id), size: try note(of: node).text.count)
    }

    private func status(of draft: TrashNotes.Draft) -> FileStatus {
        noteStatus(draft.number, size: draft.bytes.count)
    }

    private func noteStatus(_ number: UInt64, size: Int) -> FileStatus {
        FileStatus(
            node: number, kind: .file, permissions: 0o600, size: Int64(size), stored: Int64(size),
            links: 1, user: user, group: group, accessed: started, modified: started,
            changed: started)
    }

    /// As this device remembers it, or else as the provider does.
    private func note(of node: StoredNode) throws -> TrashNote {
        if let note = trash.note(node.id) { return note }
        let name = node.trees.local?.name ?? ""
        let trashed = try host.trashed(node.id)
        return TrashNote(
            path: ((trashed.folder ?? []) + [name]).joined(separator: "/"),
            date: trashed.date ?? node.main?.attributes.modified ?? started)
    }

    private func replyAboutNote(_ number: UInt64, _ question: FuseQuestion) throws -> FuseReply {
        switch question {
        case .open, .create: return .opened(OpenHandle(number: 0, keepsCache: false))
        case .release, .synchronise, .allocate: return .done
        case .status:
            let bytes = try bytes(ofNote: number)
            return .status(noteStatus(number, size: bytes.count), validFor: .zero)
        case .setStatus(_, let change, _):
            if let size = change.size, size >= 0, size <= Int64(TrashNotes.longestDraft) {
                try trash.change(number) { bytes in
                    bytes = Array(bytes.prefix(Int(size)))
                    bytes += [UInt8](repeating: 0, count: Int(size) - bytes.count)
                }
            }
            return .status(
                noteStatus(number, size: try bytes(ofNote: number).count), validFor: .zero)
        case .read(_, _, let offset, let count):
            let bytes = try bytes(ofNote: number)
            let start = Int(min(max(0, offset), Int64(bytes.count)))
            return .bytes(Array(bytes[start...].prefix(count)))
        case .write(_, _, let offset, let new, _):
            guard offset >= 0, offset <= Int64(TrashNotes.longestDraft) else {
                throw Refusal(EFBIG)
            }
            try trash.change(number) { bytes in
                let (start, end) = (Int(offset), Int(offset) + new.count)
                if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
                bytes.replaceSubrange(start..<end, with: new)
            }
            return .written(new.count)
        case .attribute, .removeAttribute: throw Refusal(ENODATA)
        case .attributes: return .attribute([])
        default: throw Refusal(EACCES)
        }
    }

    private func bytes(ofNote number: UInt64) throws -> [UInt8] {
        if let draft = trash.draft(number) { return draft.bytes }
        guard let id = trash.node(number), let node = try host.replica.read({ try $0.node(id) })
        else { throw LocalError.stale }
        return try note(of: node).text
    }
}
