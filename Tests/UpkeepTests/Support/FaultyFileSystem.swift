import BasketSupport

/// The disk, with one failure in it.
struct FaultyFileSystem: FileSystem {
    let fault: Fault
    private let real = LinuxFileSystem()

    init(_ fault: Fault) {
        self.fault = fault
    }

    private func step(_ operation: String, _ path: String) throws(FileError) {
        if fault.step(.files) { throw FileError(operation, path, code: 5) }
    }

    func create(_ path: String) throws(FileError) -> any File {
        try step("create", path)
        return FaultyFile(try real.create(path), path, fault)
    }

    func open(_ path: String) throws(FileError) -> any File {
        try step("open", path)
        return FaultyFile(try real.open(path), path, fault)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        try step("rename", path)
        try real.rename(path, to: target)
    }

    func link(_ path: String, to target: String) throws(FileError) {
        try step("link", path)
        try real.link(path, to: target)
    }

    func remove(_ path: String) throws(FileError) {
        try step("remove", path)
        try real.remove(path)
    }

    func makeFolder(_ path: String) throws(FileError) {
        try step("make", path)
        try real.makeFolder(path)
    }

    func list(_ path: String) throws(FileError) -> [String] {
        try step("list", path)
        return try real.list(path)
    }

    func size(_ path: String) throws(FileError) -> Int64 {
        try step("measure", path)
        return try real.size(path)
    }

    func modified(_ path: String) throws(FileError) -> Timestamp {
        try step("look at", path)
        return try real.modified(path)
    }

    func openDisk(holding path: String) throws(FileError) -> any Disk {
        try step("open", path)
        return try real.openDisk(holding: path)
    }

    func synchronizeFolder(_ path: String) throws(FileError) {
        try step("synchronize", path)
        try real.synchronizeFolder(path)
    }

    func exists(_ path: String) -> Bool { real.exists(path) }
    func availableBytes(at path: String) throws(FileError) -> Int64 { 1 << 40 }
    func totalBytes(at path: String) throws(FileError) -> Int64 { 1 << 41 }
}

private final class FaultyFile: File {
    private let real: any File
    private let path: String
    private let fault: Fault

    init(_ real: any File, _ path: String, _ fault: Fault) {
        self.real = real
        self.path = path
        self.fault = fault
    }

    var descriptor: Int32? { real.descriptor }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        if fault.step(.files) { throw FileError("read", path, code: 5) }
        return try real.read(at: offset, count: count)
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        if fault.step(.files) {
            // Half of it arrives: worse than nothing.
            try real.write(firstHalf(of: bytes), at: offset)
            throw FileError("write", path, code: 28)
        }
        try real.write(bytes, at: offset)
    }

    private func firstHalf(of bytes: borrowing [UInt8]) -> [UInt8] {
        (0..<bytes.count / 2).map { bytes[$0] }
    }

    func synchronize() throws(FileError) {
        if fault.step(.files) { throw FileError("synchronize", path, code: 5) }
        try real.synchronize()
    }

    func size() throws(FileError) -> Int64 {
        if fault.step(.files) { throw FileError("measure", path, code: 5) }
        return try real.size()
    }
}
