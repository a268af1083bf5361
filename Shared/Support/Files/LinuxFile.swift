import CLinux
import Glibc

/// A file descriptor with one owner, closed when that goes away.
final class LinuxFile: ChangeableFile {
    private let raw: CInt
    private let path: String

    init(_ path: String, _ flags: CInt, _ verb: String) throws(FileError) {
        let raw = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw FileError(verb, path, code: errno) }
        self.path = path
        self.raw = raw  // Last: once every property is set, a throw would run deinit.
    }

    deinit {
        close(raw)
    }

    var descriptor: Int32? { raw }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    raw, buffer.baseAddress! + filled, count - filled, off_t(offset) + filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw FileError("read", path, code: failure) }
        return bytes
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        let failure: Int32 = bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let put = pwrite(
                    raw, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
                if put >= 0 {
                    done += put
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        guard failure == 0 else { throw FileError("write", path, code: failure) }
    }

    func synchronize() throws(FileError) {
        guard fsync(raw) == 0 else { throw FileError("synchronise", path, code: errno) }
    }

    func synchronizeDisk() throws(FileError) {
        guard basket_synchronize_disk(raw) == 0 else {
            throw FileError("synchronise the disk of", path, code: errno)
        }
    }

    func size() throws(FileError) -> Int64 {
        var facts = stat()
        guard fstat(raw, &facts) == 0 else { throw FileError("look at", path, code: errno) }
        return Int64(facts.st_size)
    }

    func resize(to size: Int64) throws(FileError) {
        guard ftruncate(raw, off_t(size)) == 0 else {
            throw FileError("resize", path, code: errno)
        }
    }

    /// Nobody reads or writes at the file's own position, which this moves.
    func data(in range: Range<Int64>) throws(FileError) -> [Range<Int64>] {
        var found: [Range<Int64>] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let start = basket_next_data(raw, position)
            // Behind the last byte of data there is only a hole.
            if start < 0, errno == ENXIO { break }
            if start < 0, errno == EINVAL { return [range] }
            guard start >= 0 else { throw FileError("look for data in", path, code: errno) }
            guard start < range.upperBound else { break }
            let end = basket_next_hole(raw, start)
            guard end > start else { throw FileError("look for holes in", path, code: errno) }
            found.append(start..<min(end, range.upperBound))
            position = end
        }
        return found
    }

    func copy(_ range: Range<Int64>, from source: any File) throws(FileError) -> Int64 {
        guard let other = source.descriptor else { return try copyBytes(range, from: source) }
        var position = range.lowerBound
        while position < range.upperBound {
            var (from, to) = (off_t(position), off_t(position))
            let count = basket_copy_file_range(
                other, &from, raw, &to, Int(range.upperBound - position))
            if count == 0 { break }
            if count > 0 {
                position += Int64(count)
            } else if [EXDEV, EINVAL, EOPNOTSUPP, ENOSYS].contains(errno) {
                // Not between these two.
                return try copyBytes(position..<range.upperBound, from: source)
            } else if errno != EINTR {
                throw FileError("copy into", path, code: errno)
            }
        }
        return position
    }
}
