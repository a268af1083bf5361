import BasketSupport

struct MishapFileSystem: FileSystem {
    private let mishap: Mishap
    private let disk: SmallDisk
    private let real = LinuxFileSystem()

    init(_ mishap: Mishap, disk: SmallDisk = SmallDisk()) {
        self.mishap = mishap
        self.disk = disk
    }

    func create(_ path: String) throws(FileError) -> any File {
        try mishap.step()
        return MishapFile(try real.create(path), mishap)
    }

    func open(_ path: String) throws(FileError) -> any File {
        MishapFile(try real.open(path), mishap)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        try mishap.step()
        try real.rename(path, to: target)
    }

    func link(_ path: String, to target: String) throws(FileError) {
        try mishap.step()
        try real.link(path, to: target)
    }

    func remove(_ path: String) throws(FileError) {
        try mishap.step()
        disk.willRemove(path)
        try real.remove(path)
    }

    func makeFolder(_ path: String) throws(FileError) {
        try mishap.step()
        try real.makeFolder(path)
    }

    func openDisk(holding path: String) throws(FileError) -> any Disk {
        try real.openDisk(holding: path)
    }

    func synchronizeFolder(_ path: String) throws(FileError) {
        try mishap.step()
        try real.synchronizeFolder(path)
    }

    func list(_ path: String) throws(FileError) -> [String] { try real.list(path) }
    func size(_ path: String) throws(FileError) -> Int64 { try real.size(path) }
    func modified(_ path: String) throws(FileError) -> Timestamp { try real.modified(path) }
    func exists(_ path: String) -> Bool { real.exists(path) }
    func availableBytes(at path: String) throws(FileError) -> Int64 {
        disk.availableBytes(in: path)
    }
    func totalBytes(at path: String) throws(FileError) -> Int64 { 1 << 41 }
}

private final class MishapFile: File {
    private let real: any File
    private let mishap: Mishap

    init(_ real: any File, _ mishap: Mishap) {
        self.real = real
        self.mishap = mishap
    }

    var descriptor: Int32? { real.descriptor }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try real.read(at: offset, count: count)
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        try mishap.step()
        try real.write(bytes, at: offset)
    }

    func synchronize() throws(FileError) {
        try mishap.step()
        try real.synchronize()
    }

    func size() throws(FileError) -> Int64 { try real.size() }
}
