import BasketSupport
import Foundation
import Synchronization

/// A folder of its own on the real disk, gone with this object: a file system that writes down what is
/// done to it, fails where it is told to, and is as large as it is told.
final class TestDisk: FileSystem {
    struct State {
        var operations: [String] = []
        /// Counts down with every operation that writes; at 0 it fails.
        var writesUntilFailure: Int?
        var failure = ENOSPC
        var failsForGood = false
        var free: Int64 = 1 << 40
        var total: Int64 = 1 << 41
        var measurements = 0
        var uptime = Duration.zero
    }

    let state = Mutex(State())
    let folder: String
    private let real = LinuxFileSystem()

    init() {
        let made = FileManager.default.temporaryDirectory
            .appendingPathComponent("basket-blobs-\(UUID().uuidString)").path
        folder = made
        try? FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A world whose disk is this one, and whose clock stands until it is moved.
    func world(seed: UInt64 = 1) -> World {
        let generator = Generator(seed: seed)
        return World(
            now: { Timestamp(seconds: 1) }, uptime: { self.state.withLock { $0.uptime } },
            sleep: { _ in }, randomBytes: generator.bytes, files: self, log: .silent)
    }

    func operations(_ body: () async throws -> Void) async rethrows -> [String] {
        state.withLock { $0.operations = [] }
        try await body()
        return state.withLock { $0.operations }
    }

    /// Every file below the folder, with its path from there.
    func names() -> [String] {
        let all = FileManager.default.subpaths(atPath: folder) ?? []
        return all.filter { (try? real.list("\(folder)/\($0)")) == nil }.sorted()
    }

    fileprivate func note(_ operation: String, _ path: String) throws(FileError) {
        let short = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
        let failure: Int32? = state.withLock { state in
            state.operations.append("\(operation) \(short)")
            guard let left = state.writesUntilFailure else { return nil }
            state.writesUntilFailure = left > 0 ? left - 1 : state.failsForGood ? 0 : nil
            return left == 0 ? state.failure : nil
        }
        if let failure { throw FileError(operation, path, code: failure) }
    }

    func create(_ path: String) throws(FileError) -> any File {
        try note("create", path)
        return TestFile(try real.create(path), path, self)
    }

    func open(_ path: String) throws(FileError) -> any File {
        state.withLock { $0.operations.append("open") }
        return try real.open(path)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        try note("rename", target)
        try real.rename(path, to: target)
    }

    /// Removing never needs room, so it never fails here.
    func remove(_ path: String) throws(FileError) {
        try real.remove(path)
    }

    func makeFolder(_ path: String) throws(FileError) {
        try note("makeFolder", path)
        try real.makeFolder(path)
    }

    func list(_ path: String) throws(FileError) -> [String] { try real.list(path) }
    func size(_ path: String) throws(FileError) -> Int64 { try real.size(path) }
    func modified(_ path: String) throws(FileError) -> Timestamp { try real.modified(path) }
    func exists(_ path: String) -> Bool { real.exists(path) }

    func openDisk(holding path: String) throws(FileError) -> any Disk {
        try note("openDisk", path)
        return try real.openDisk(holding: path)
    }

    func synchronizeFolder(_ path: String) throws(FileError) {
        try note("synchronizeFolder", path)
        try real.synchronizeFolder(path)
    }

    func availableBytes(at path: String) throws(FileError) -> Int64 {
        state.withLock { state in
            state.measurements += 1
            return state.free
        }
    }

    func totalBytes(at path: String) throws(FileError) -> Int64 { state.withLock { $0.total } }
}

private final class TestFile: File {
    private let real: any File
    private let path: String
    private let disk: TestDisk

    init(_ real: any File, _ path: String, _ disk: TestDisk) {
        self.real = real
        self.path = path
        self.disk = disk
    }

    var descriptor: Int32? { real.descriptor }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try real.read(at: offset, count: count)
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        try disk.note("write", path)
        try real.write(bytes, at: offset)
    }

    func synchronize() throws(FileError) {
        try disk.note("synchronize", path)
        try real.synchronize()
    }

    func size() throws(FileError) -> Int64 { try real.size() }
}

private final class Generator: Sendable {
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed))
    }

    func bytes(_ count: Int) -> [UInt8] {
        random.withLock { $0.bytes(count) }
    }
}
