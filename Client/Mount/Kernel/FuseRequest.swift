import BasketSupport
import CFuse
import Glibc

/// A question of the kernel's, which is answered once.
struct FuseRequest: @unchecked Sendable {
    // Unchecked: libfuse takes an answer from any thread, and whoever has the request answers it once.
    let raw: fuse_req_t
    /// How long a value the program takes; 0 where it asks for the length.
    let capacity: Int

    /// Nobody else's for as long as it is not answered.
    var key: UInt { UInt(bitPattern: raw) }

    /// - Parameter question: its number, and whether a process before this one was asked the same.
    func caller(of question: (number: UInt64, isRepeated: Bool)) -> Caller {
        let context = fuse_req_ctx(raw).pointee
        return Caller(
            process: context.pid, user: context.uid, group: context.gid,
            question: question.number, isRepeated: question.isRepeated)
    }

    /// - Returns: a handle that the kernel will not give back, as nobody has waited for it.
    func send(_ reply: FuseReply) -> UInt64? {
        switch reply {
        case .done: fuse_reply_err(raw, 0)
        case .failed(let code): fuse_reply_err(raw, code)
        case .entry(let entry):
            var parameter = entry.parameter
            fuse_reply_entry(raw, &parameter)
        case .status(let status, let validity):
            var facts = status.stat
            fuse_reply_attr(raw, &facts, validity.inSeconds)
        case .target(let target): fuse_reply_readlink(raw, target)
        case .opened(let handle):
            var info = handle.info
            return fuse_reply_open(raw, &info) == -ENOENT ? handle.number : nil
        case .created(let entry, let handle):
            var parameter = entry.parameter
            var info = handle.info
            return fuse_reply_create(raw, &parameter, &info) == -ENOENT ? handle.number : nil
        case .bytes(let bytes): send(bytes)
        case .part(let file, let offset, let count): send(file, offset, count)
        case .attribute(let value): send(attribute: value)
        case .written(let count): fuse_reply_write(raw, count)
        case .position(let offset): fuse_reply_lseek(raw, off_t(offset))
        case .listing(let listing): send(listing)
        case .statistics(let statistics):
            var facts = statistics.statvfs
            fuse_reply_statfs(raw, &facts)
        }
        return nil
    }

    private func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            _ = fuse_reply_buf(raw, start, buffer.count)
        }
    }

    private func send(attribute value: [UInt8]) {
        if capacity == 0 {
            fuse_reply_xattr(raw, value.count)
        } else if value.count > capacity {
            fuse_reply_err(raw, ERANGE)
        } else {
            send(value)
        }
    }

    /// From the file to the kernel, by way of nobody's memory where that can be.
    private func send(_ file: any File, _ offset: Int64, _ count: Int) {
        guard let descriptor = file.descriptor else {
            do {
                send(try file.read(at: offset, count: count))
            } catch {
                fuse_reply_err(raw, error.code)
            }
            return
        }
        withExtendedLifetime(file) {
            var part = fuse_bufvec()
            part.count = 1
            part.buf.size = count
            part.buf.flags = fuse_buf_flags(
                FUSE_BUF_IS_FD.rawValue | FUSE_BUF_FD_SEEK.rawValue | FUSE_BUF_FD_RETRY.rawValue)
            part.buf.fd = descriptor
            part.buf.pos = off_t(offset)
            fuse_reply_data(raw, &part, fuse_buf_copy_flags(0))
        }
    }

    private func send(_ listing: FuseListing) {
        let bytes = [CChar](unsafeUninitializedCapacity: listing.capacity) { buffer, filled in
            for element in listing.elements {
                let start = buffer.baseAddress.map { $0 + filled }
                let room = listing.capacity - filled
                if listing.withStatus {
                    var parameter = element.entry.parameter
                    filled += fuse_add_direntry_plus(
                        raw, start, room, element.name, &parameter, off_t(element.number))
                } else {
                    var facts = element.entry.parameter.attr
                    filled += fuse_add_direntry(
                        raw, start, room, element.name, &facts, off_t(element.number))
                }
            }
        }
        fuse_reply_buf(raw, bytes, bytes.count)
    }
}

extension OpenHandle {
    fileprivate var info: fuse_file_info {
        var info = fuse_file_info()
        info.fh = number
        info.keep_cache = keepsCache ? 1 : 0
        info.cache_readdir = keepsListing ? 1 : 0
        info.direct_io = isDirect ? 1 : 0
        return info
    }
}

extension VolumeStatistics {
    fileprivate var statvfs: statvfs {
        var facts = Glibc.statvfs()
        facts.f_bsize = UInt(blockSize)
        facts.f_frsize = UInt(blockSize)
        facts.f_blocks = UInt(blocks)
        facts.f_bfree = UInt(freeBlocks)
        facts.f_bavail = UInt(availableBlocks)
        facts.f_files = UInt(files)
        facts.f_ffree = UInt(freeFiles)
        facts.f_favail = UInt(freeFiles)
        facts.f_namemax = UInt(longestName)
        return facts
    }
}
