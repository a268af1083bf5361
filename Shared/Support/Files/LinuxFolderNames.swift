import CLinux
import Glibc

/// A stream of the kernel's.
final class LinuxFolderNames: FolderNames {
    private let stream: OpaquePointer
    private let path: String

    init(_ path: String) throws(FileError) {
        // What took the folder's place may lead anywhere.
        let raw = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard raw >= 0 else { throw FileError("list", path, code: errno) }
        guard let stream = fdopendir(raw) else {
            let failure = errno
            close(raw)
            throw FileError("list", path, code: failure)
        }
        self.path = path
        self.stream = stream  // Last: once every property is set, a throw would run deinit.
    }

    deinit {
        closedir(stream)
    }

    func next(_ limit: Int) throws(FileError) -> [String] {
        var names: [String] = []
        while names.count < limit {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw FileError("list", path, code: errno) }
                break
            }
            let bytes = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: UInt8.self, capacity: 256) { Array(cString: $0) }
            }
            if bytes == [0x2E] || bytes == [0x2E, 0x2E] { continue }
            if let name = String(validating: bytes, as: UTF8.self) {
                names.append(name)
            } else {
                names.append(try mend(bytes))
            }
        }
        return names
    }

    /// In place of what is no Unicode stands the sign for that.
    private func mend(_ bytes: [UInt8]) throws(FileError) -> String {
        var wanted = String(decoding: bytes, as: UTF8.self)
        while wanted.utf8.count > CaseRule.longestName { wanted.removeLast() }
        let names = BouncedName(wanted)
        let old = Array("\(path)/".utf8) + bytes + [0]
        var index = -1
        while true {
            let name = index < 0 ? wanted : names.candidate(index)
            let status = old.withUnsafeBytes { buffer in
                basket_rename_exclusively(
                    buffer.baseAddress?.assumingMemoryBound(to: CChar.self), "\(path)/\(name)")
            }
            if status == 0 { return name }
            guard errno == EEXIST else {
                throw FileError("rename what has a broken name in", path, code: errno)
            }
            index += 1
        }
    }
}

extension [UInt8] {
    /// The bytes before the first NUL, of 256 at most.
    fileprivate init(cString bytes: UnsafePointer<UInt8>) {
        self = Array(UnsafeBufferPointer(start: bytes, count: strnlen(bytes)))
    }
}

private func strnlen(_ bytes: UnsafePointer<UInt8>) -> Int {
    (0..<256).first { bytes[$0] == 0 } ?? 256
}
