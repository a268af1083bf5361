import CFuse
import Glibc

/// What libfuse calls, each turned into a question. Formed away from any actor: they are called on threads of the
/// session.
enum FuseOperations {
    static func make() -> fuse_lowlevel_ops {
        var table = fuse_lowlevel_ops()
        addNames(to: &table)
        addFiles(to: &table)
        addFolders(to: &table)
        addAttributes(to: &table)
        table.`init` = { _, connection in
            if let connection { FuseOperations.prepare(&connection.pointee) }
        }
        table.forget = { request, node, times in
            guard let request else { return }
            FuseSession.of(request).server.forget(node, times: times)
            fuse_reply_none(request)
        }
        table.forget_multi = { request, count, list in
            guard let request else { return }
            let server = FuseSession.of(request).server
            for data in UnsafeBufferPointer(start: list, count: count) {
                server.forget(data.ino, times: data.nlookup)
            }
            fuse_reply_none(request)
        }
        return table
    }

    /// What is asked for of what the kernel can do.
    private static func prepare(_ connection: inout fuse_conn_info) {
        let wanted =
            FUSE_CAP_ASYNC_READ | FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_PARALLEL_DIROPS
            | FUSE_CAP_READDIRPLUS | FUSE_CAP_SPLICE_WRITE
            | FUSE_CAP_SPLICE_MOVE | FUSE_CAP_CACHE_SYMLINKS | FUSE_CAP_EXPLICIT_INVAL_DATA
        // Locks are the kernel's business, as on any local disk.
        connection.want = UInt32(wanted) & connection.capable
        connection.max_background = 64
        connection.congestion_threshold = 48
        connection.time_gran = 1
    }

    // MARK: Names

    private static func addNames(to table: inout fuse_lowlevel_ops) {
        table.lookup = { request, folder, name in
            ask(request, name, refusal: ENOENT) { .lookUp($0[0], in: folder) }
        }
        table.readlink = { request, node in ask(request, .target(of: node)) }
        table.mkdir = { request, folder, name, mode in
            ask(request, name) { .makeFolder($0[0], in: folder, mode: mode & 0o7777) }
        }
        table.mknod = { request, folder, name, mode, device in
            ask(request, name) { .makeNode($0[0], in: folder, mode: mode, device: UInt64(device)) }
        }
        table.symlink = { request, target, folder, name in
            ask(request, name, target) { .makeSymlink($0[0], in: folder, target: $0[1]) }
        }
        table.link = { request, node, folder, name in
            ask(request, name) { .makeLink($0[0], in: folder, to: node) }
        }
        table.unlink = { request, folder, name in
            ask(request, name, refusal: ENOENT) { .remove($0[0], in: folder) }
        }
        table.rmdir = { request, folder, name in
            ask(request, name, refusal: ENOENT) { .removeFolder($0[0], in: folder) }
        }
        table.rename = { request, folder, name, newFolder, newName, flags in
            let mode: RenameMode
            switch flags {
            case 0: mode = .replacing
            case renameExclusively: mode = .exclusive
            case renameExchanging: mode = .exchanging
            default:
                if let request { fuse_reply_err(request, EINVAL) }
                return
            }
            ask(request, name, newName) {
                .rename($0[0], in: folder, to: $0[1], into: newFolder, mode)
            }
        }
    }

    // MARK: Files

    private static func addFiles(to table: inout fuse_lowlevel_ops) {
        table.getattr = { request, node, info in
            ask(request, .status(of: node, handle: info?.pointee.fh))
        }
        table.setattr = { request, node, status, wanted, info in
            guard let status else { return }
            ask(
                request,
                .setStatus(
                    of: node, StatusChange(status.pointee, wanted), handle: info?.pointee.fh))
        }
        table.open = { request, node, info in
            guard let info else { return }
            ask(request, .open(node, OpenMode(flags: info.pointee.flags)))
        }
        table.create = { request, folder, name, mode, info in
            guard let info else { return }
            let opening = OpenMode(flags: info.pointee.flags)
            ask(request, name) { .create($0[0], in: folder, mode: mode & 0o7777, opening) }
        }
        table.read = { request, node, count, offset, info in
            guard let info else { return }
            ask(
                request,
                .read(node, handle: info.pointee.fh, at: Int64(offset), count: count))
        }
        table.write = { request, node, bytes, count, offset, info in
            guard let info else { return }
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            ask(
                request,
                .write(
                    node, handle: info.pointee.fh, at: Int64(offset), Array(bytes),
                    // A page of a mapped file has its place.
                    appends: info.pointee.flags & O_APPEND != 0 && info.pointee.writepage == 0))
        }
        // Not told of each copy of a descriptor that is closed, as those that a program's children have: what was written
        // is on this disk, and what else is to be known of it is noted with the last of them.
        table.release = { request, node, info in
            guard let info else { return }
            ask(request, .release(node, handle: info.pointee.fh))
        }
        table.fsync = { request, node, _, info in
            guard let info else { return }
            ask(request, .synchronise(node, handle: info.pointee.fh))
        }
        table.fallocate = { request, node, mode, offset, length, info in
            guard let info else { return }
            let (end, isTooFar) = Int64(offset).addingReportingOverflow(Int64(length))
            guard offset >= 0, length > 0, !isTooFar else {
                if let request { fuse_reply_err(request, isTooFar ? EFBIG : EINVAL) }
                return
            }
            ask(
                request,
                .allocate(node, handle: info.pointee.fh, Int64(offset)..<end, mode: mode))
        }
        table.lseek = { request, node, offset, whence, info in
            guard let info else { return }
            guard whence == seekData || whence == seekHole else {
                if let request { fuse_reply_err(request, EINVAL) }
                return
            }
            ask(
                request,
                .seek(
                    node, handle: info.pointee.fh, from: Int64(offset), forHole: whence == seekHole)
            )
        }
    }

    // MARK: Folders

    private static func addFolders(to table: inout fuse_lowlevel_ops) {
        table.opendir = { request, node, _ in ask(request, .openFolder(node)) }
        table.readdir = { request, node, capacity, after, info in
            list(request, node, capacity, after, info, withStatus: false)
        }
        table.readdirplus = { request, node, capacity, after, info in
            list(request, node, capacity, after, info, withStatus: true)
        }
        table.releasedir = { request, node, info in
            guard let info else { return }
            ask(request, .releaseFolder(node, handle: info.pointee.fh))
        }
        table.fsyncdir = { request, node, _, _ in ask(request, .synchroniseFolder(node)) }
        table.statfs = { request, node in ask(request, .statistics(of: node)) }
    }

    // MARK: Attributes

    private static func addAttributes(to table: inout fuse_lowlevel_ops) {
        table.setxattr = { request, node, name, value, size, flags in
            let value = Array(UnsafeRawBufferPointer(start: value, count: size))
            let mode: AttributeMode =
                switch flags {
                case attributeIsNew: .new
                case attributeIsKnown: .known
                default: .any
                }
            ask(request, name) { .setAttribute($0[0], value, of: node, mode) }
        }
        table.getxattr = { request, node, name, capacity in
            ask(request, name, refusal: ENODATA, capacity: capacity) {
                .attribute($0[0], of: node)
            }
        }
        table.listxattr = { request, node, capacity in
            ask(request, .attributes(of: node), capacity: capacity)
        }
        table.removexattr = { request, node, name in
            ask(request, name, refusal: ENODATA) { .removeAttribute($0[0], of: node) }
        }
    }
}

// Functions and not the type's: what C calls holds nothing, a type neither.

private func ask(
    _ request: fuse_req_t?, _ question: FuseQuestion, capacity: Int = 0
) {
    guard let request else { return }
    FuseSession.of(request).ask(FuseRequest(raw: request, capacity: capacity), question)
}

/// Names are texts in a domain: what is none is nobody's name, and cannot become one.
private func ask(
    _ request: fuse_req_t?, _ names: UnsafePointer<CChar>?..., refusal: Int32 = EILSEQ,
    capacity: Int = 0, _ question: ([String]) -> FuseQuestion
) {
    let texts = names.compactMap { $0.flatMap { String(validatingCString: $0) } }
    guard texts.count == names.count else {
        if let request { fuse_reply_err(request, refusal) }
        return
    }
    ask(request, question(texts), capacity: capacity)
}

private func list(
    _ request: fuse_req_t?, _ node: UInt64, _ capacity: Int, _ after: off_t,
    _ info: UnsafeMutablePointer<fuse_file_info>?, withStatus: Bool
) {
    guard let info else { return }
    ask(
        request,
        .list(
            node, handle: info.pointee.fh, after: Int64(after), capacity: capacity,
            withStatus: withStatus))
}

/// renameat2's, which Glibc's module leaves out.
private let renameExclusively: UInt32 = 1
private let renameExchanging: UInt32 = 2

/// lseek's, likewise. The others the kernel sees to itself.
private let seekData: Int32 = 3
private let seekHole: Int32 = 4

/// setxattr's.
private let attributeIsNew: Int32 = 1
private let attributeIsKnown: Int32 = 2
