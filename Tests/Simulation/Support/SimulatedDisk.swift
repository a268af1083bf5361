import BasketSupport
import Glibc
import Synchronization

/// A disk that a power cut takes the last bytes from: of what was not made durable, the end may be gone, or
/// all of it.
final class SimulatedDisk: FileSystem {
    private let real = LinuxFileSystem()
    private let unsafe = Mutex<Set<String>>([])
    /// How much room there is; nil for more than anybody needs.
    private let room = Mutex<Int64?>(nil)

    /// Leaves no more room than so many bytes.
    func fill(leaving bytes: Int64) {
        room.withLock { $0 = bytes }
    }

    fileprivate func take(_ bytes: Int64, for path: String) throws(FileError) {
        let hasRoom = room.withLock { room in
            guard let left = room, bytes > 0 else { return true }
            guard left >= bytes else { return false }
            room = left - bytes
            return true
        }
        guard hasRoom else { throw FileError("write", path, code: ENOSPC) }
    }

    /// The power is cut.
    /// - Parameter remainder: how much is left of a file of that size.
    func lose(_ remainder: (Int) -> Int) throws {
        for path in unsafe.withLock({ $0.sorted() }) where real.exists(path) {
            let bytes = try real.contents(of: path)
            let left = remainder(bytes.count)
            guard left < bytes.count else { continue }
            try real.openToChange(path).resize(to: Int64(left))
        }
        unsafe.withLock { $0 = [] }
    }

    fileprivate func wrote(to path: String) {
        unsafe.withLock { _ = $0.insert(path) }
    }

    fileprivate func synchronised(_ path: String) {
        unsafe.withLock { _ = $0.remove(path) }
    }

    func create(_ path: String) throws(FileError) -> any File {
        defer { wrote(to: path) }
        return SimulatedFile(try real.create(path), path, self)
    }

    func open(_ path: String) throws(FileError) -> any File {
        SimulatedFile(try real.open(path), path, self)
    }

    func openToChange(_ path: String) throws(FileError) -> any ChangeableFile {
        SimulatedFile(try real.openToChange(path), path, self)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        try real.rename(path, to: target)
        unsafe.withLock { paths in
            if paths.remove(path) != nil { paths.insert(target) } else { paths.remove(target) }
        }
    }

    func remove(_ path: String) throws(FileError) {
        let size = room.withLock { $0 } == nil ? 0 : try real.size(path)
        try real.remove(path)
        room.withLock { room in room = room.map { $0 + size } }
        synchronised(path)
    }

    func synchronizeDisk(holding path: String) throws(FileError) {
        unsafe.withLock { $0 = [] }
    }

    func note(at path: String) throws(FileError) -> [UInt8]? { try real.note(at: path) }
    func setNote(_ note: [UInt8]?, at path: String) throws(FileError) {
        try real.setNote(note, at: path)
    }
    func makeFolder(_ path: String) throws(FileError) { try real.makeFolder(path) }
    func list(_ path: String) throws(FileError) -> [String] { try real.list(path) }
    func size(_ path: String) throws(FileError) -> Int64 { try real.size(path) }
    func modified(_ path: String) throws(FileError) -> Timestamp { try real.modified(path) }
    func exists(_ path: String) -> Bool { real.exists(path) }
    func synchronizeFolder(_ path: String) throws(FileError) {}
    func availableBytes(at path: String) throws(FileError) -> Int64 {
        room.withLock { $0 } ?? 1 << 40
    }
    func totalBytes(at path: String) throws(FileError) -> Int64 { 1 << 41 }
}

private final class SimulatedFile: ChangeableFile {
    private let real: any File
    private let path: String
    private let disk: SimulatedDisk

    init(_ real: any File, _ path: String, _ disk: SimulatedDisk) {
        self.real = real
        self.path = path
        self.disk = disk
    }

    var descriptor: Int32? { real.descriptor }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try real.read(at: offset, count: count)
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        try disk.take(offset + Int64(bytes.count) - real.size(), for: path)
        try real.write(bytes, at: offset)
        disk.wrote(to: path)
    }

    func resize(to size: Int64) throws(FileError) {
        guard let real = real as? any ChangeableFile else { return }
        try real.resize(to: size)
        disk.wrote(to: path)
    }

    func data(in range: Range<Int64>) throws(FileError) -> [Range<Int64>] {
        try real.data(in: range)
    }

    func synchronize() throws(FileError) { disk.synchronised(path) }
    func size() throws(FileError) -> Int64 { try real.size() }
}
