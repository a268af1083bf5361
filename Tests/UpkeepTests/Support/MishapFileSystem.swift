import BasketSupport

struct MishapFileSystem: FileSystem {
    private let mishap: Mishap
    private let capacity: Int64
    private let real = LinuxFileSystem()

    /// - Parameter capacity: what fits on the disk beside the files that are in the folder that is asked
    ///   about.
    init(_ mishap: Mishap, capacity: Int64 = 1 << 40) {
        self.mishap = mishap
        self.capacity = capacity
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
        try real.remove(path)
    }

    func makeFolder(_ path: String) throws(FileError) {
        try mishap.step()
        try real.makeFolder(path)
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
        capacity - blobBytes(in: path)
    }
    func totalBytes(at path: String) throws(FileError) -> Int64 { 1 << 41 }

    /// The database is not counted: how large it is, is not the tests' matter.
    private func blobBytes(in folder: String) -> Int64 {
        let blobs = folder + "/blobs"
        let fans = (try? real.list(blobs)) ?? []
        return fans.reduce(0) { sum, fan in
            let names = (try? real.list("\(blobs)/\(fan)")) ?? []
            return names.reduce(sum) { $0 + ((try? real.size("\(blobs)/\(fan)/\($1)")) ?? 0) }
        }
    }
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
