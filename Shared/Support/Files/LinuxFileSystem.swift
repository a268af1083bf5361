import CLinux
import Glibc

/// The machine's file system.
package struct LinuxFileSystem: FileSystem {
    package init() {}

    package func create(_ path: String) throws(FileError) -> any File {
        try LinuxFile(path, O_RDWR | O_CREAT | O_EXCL, "create")
    }

    package func open(_ path: String) throws(FileError) -> any File {
        // A pipe that has no writer would be waited for. It changes nothing about other files.
        try LinuxFile(path, O_RDONLY | O_NONBLOCK, "open")
    }

    package func openToChange(_ path: String) throws(FileError) -> any ChangeableFile {
        try LinuxFile(path, O_RDWR | O_NONBLOCK, "open")
    }

    package func rename(_ path: String, to target: String) throws(FileError) {
        guard Glibc.rename(path, target) == 0 else {
            throw FileError("rename", path, code: errno)
        }
    }

    package func link(_ path: String, to target: String) throws(FileError) {
        guard Glibc.link(path, target) == 0 else { throw FileError("link", target, code: errno) }
    }

    package func remove(_ path: String) throws(FileError) {
        guard Glibc.remove(path) == 0 else { throw FileError("remove", path, code: errno) }
    }

    package func removeFolder(_ path: String) throws(FileError) {
        guard rmdir(path) == 0 else { throw FileError("remove the folder", path, code: errno) }
    }

    package func makeFolder(_ path: String) throws(FileError) {
        if mkdir(path, 0o700) == 0 { return }
        let failure = errno
        switch failure {
        case EEXIST where isFolder(path): return
        case ENOENT:
            try makeFolder(Self.folder(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw FileError("make the folder", path, code: errno)
            }
        default: throw FileError("make the folder", path, code: failure)
        }
    }

    package func list(_ path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else { throw FileError("list", path, code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw FileError("list", path, code: errno) }
        return names.sorted()
    }

    package func size(_ path: String) throws(FileError) -> Int64 {
        Int64(try status(of: path).st_size)
    }

    package func modified(_ path: String) throws(FileError) -> Timestamp {
        let time = try status(of: path).st_mtim
        return Timestamp(clamping: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    package func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    package func synchronizeFolder(_ path: String) throws(FileError) {
        try LinuxFile(path, O_RDONLY | O_DIRECTORY, "open").synchronize()
    }

    package func openDisk(holding path: String) throws(FileError) -> any Disk {
        LinuxDisk(try LinuxFile(path, O_RDONLY, "open"))
    }

    package func availableBytes(at path: String) throws(FileError) -> Int64 {
        let bytes = basket_available_bytes(path)
        guard bytes >= 0 else { throw FileError("measure the free space of", path, code: errno) }
        return bytes
    }

    package func totalBytes(at path: String) throws(FileError) -> Int64 {
        let bytes = basket_total_bytes(path)
        guard bytes >= 0 else { throw FileError("measure the size of", path, code: errno) }
        return bytes
    }

    private func status(of path: String) throws(FileError) -> stat {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw FileError("look at", path, code: errno) }
        return facts
    }

    private func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
