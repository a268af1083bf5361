import CLinux
import Glibc

extension LinuxFileSystem {
    package func facts(of path: String) throws(FileError) -> FileFacts {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { throw FileError("look at", path, code: errno) }
        let kind: FileFacts.Kind =
            switch facts.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symlink
            default: .other
            }
        let time = facts.st_mtim
        return FileFacts(
            kind: kind, size: Int64(facts.st_size), mode: UInt16(facts.st_mode & 0o7777),
            modified: Timestamp(
                clamping: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)),
            device: UInt64(facts.st_dev), links: Int(facts.st_nlink),
            isOwn: facts.st_uid == geteuid() || geteuid() == 0,
            // The kernel counts in these, whatever the disk has.
            stored: Int64(facts.st_blocks) * 512)
    }

    package func setMode(_ mode: UInt16, at path: String) throws(FileError) {
        guard fchmodat(AT_FDCWD, path, mode_t(mode), AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileError("set the rights of", path, code: errno)
        }
    }

    package func setModified(_ modified: Timestamp, at path: String) throws(FileError) {
        let (seconds, rest) = modified.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(
            tv_sec: Int(rest < 0 ? seconds - 1 : seconds),
            tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
        let times = [timespec(tv_sec: 0, tv_nsec: Self.unchanged), time]
        guard utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileError("set the date of", path, code: errno)
        }
    }

    /// `UTIME_OMIT`
    private static let unchanged = (1 << 30) - 2

    package func renameExclusively(_ path: String, to target: String) throws(FileError) {
        guard basket_rename_exclusively(path, target) == 0 else {
            throw FileError("rename", path, code: errno)
        }
    }

    /// As `renameExclusively` does it on a disk that cannot promise it.
    package func renameByClaim(_ path: String, to target: String) throws(FileError) {
        guard basket_rename_by_claim(path, target) == 0 else {
            throw FileError("rename", path, code: errno)
        }
    }

    package func makeSymlink(to target: String, at path: String) throws(FileError) {
        guard symlink(target, path) == 0 else {
            throw FileError("make the link", path, code: errno)
        }
    }

    package func target(ofSymlink path: String) throws(FileError) -> String {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let length = buffer.withMemoryRebound(to: CChar.self) {
                readlink(path, $0.baseAddress!, $0.count)
            }
            if length < 0 { failure = errno } else { count = length }
        }
        guard failure == 0 else { throw FileError("read the link", path, code: failure) }
        guard let target = String(validating: bytes, as: UTF8.self) else {
            throw FileError("read the link", path, code: EILSEQ)
        }
        return target
    }

    package func isWritten(_ path: String) throws(FileError) -> Bool {
        let answer = basket_is_written(path)
        // Some file systems cannot tell, nor can who does not own the file.
        if answer < 0, [ENOENT, ENOTDIR, EIO].contains(errno) {
            throw FileError("look at", path, code: errno)
        }
        return answer > 0
    }

    package func attributes(of path: String) throws(FileError) -> [String: [UInt8]] {
        var failure: Int32 = 0
        let list = [CChar](unsafeUninitializedCapacity: Self.mostBytes) { buffer, count in
            let length = basket_list_own_attributes(path, buffer.baseAddress, buffer.count)
            if length < 0 { failure = errno } else { count = length }
        }
        if failure == EOPNOTSUPP { return [:] }
        guard failure == 0 else { throw FileError("list what is noted at", path, code: failure) }
        var attributes: [String: [UInt8]] = [:]
        for bytes in list.split(separator: 0) {
            let raw = bytes.map { UInt8(bitPattern: $0) }
            guard let name = String(validating: raw, as: UTF8.self), name.hasPrefix("user."),
                name != Self.attribute
            else { continue }
            attributes[name] = try attribute(name, of: path)
        }
        return attributes
    }

    private func attribute(_ name: String, of path: String) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, count in
            let length = basket_get_own_attribute(path, name, buffer.baseAddress, buffer.count)
            if length < 0 { failure = errno } else { count = length }
        }
        guard failure == 0 else { throw FileError("read what is noted at", path, code: failure) }
        return bytes
    }

    package func setAttribute(
        _ name: String, _ value: [UInt8]?, at path: String
    ) throws(FileError) {
        let status =
            if let value {
                basket_set_own_attribute(path, name, value, value.count)
            } else {
                basket_remove_own_attribute(path, name)
            }
        guard status == 0 || value == nil && errno == ENODATA else {
            throw FileError("note something at", path, code: errno)
        }
    }

    package func openFolder(_ path: String) throws(FileError) -> any FolderNames {
        try LinuxFolderNames(path)
    }
}
