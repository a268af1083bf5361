import BasketSupport
import Glibc

/// A simulated disk with which something goes wrong.
struct MishapDisk: FileSystem {
    let real: SimulatedDisk
    let mishap: DiskMishap

    func create(_ path: String) throws(FileError) -> any File {
        try mishap.step(path, takesRoom: true)
        return MishapFile(try real.create(path), path, mishap)
    }

    func open(_ path: String) throws(FileError) -> any File {
        MishapFile(try real.open(path), path, mishap)
    }

    func openToChange(_ path: String) throws(FileError) -> any ChangeableFile {
        MishapFile(try real.openToChange(path), path, mishap)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        try mishap.step(path)
        try mishap.refuse(.rename, path)
        try mishap.requireOneVolume(path, target)
        try real.rename(path, to: target)
    }

    func renameExclusively(_ path: String, to target: String) throws(FileError) {
        try mishap.step(path)
        try mishap.refuse(.rename, path)
        try mishap.requireOneVolume(path, target)
        try real.renameExclusively(path, to: target)
    }

    func link(_ path: String, to target: String) throws(FileError) {
        try mishap.step(path, takesRoom: true)
        if mishap.refusesLinks { throw FileError("link", target, code: EXDEV) }
        try real.link(path, to: target)
    }

    func makeSymlink(to target: String, at path: String) throws(FileError) {
        try mishap.step(path, takesRoom: true)
        try real.makeSymlink(to: target, at: path)
    }

    func remove(_ path: String) throws(FileError) {
        try mishap.step(path)
        try mishap.refuse(.remove, path)
        try real.remove(path)
    }

    func removeFolder(_ path: String) throws(FileError) {
        try mishap.step(path)
        try real.removeFolder(path)
    }

    func makeFolder(_ path: String) throws(FileError) {
        if !real.exists(path) { try mishap.step(path, takesRoom: true) }
        try real.makeFolder(path)
    }

    func setMode(_ mode: UInt16, at path: String) throws(FileError) {
        try mishap.step(path)
        try mishap.refuse(.setMode, path)
        try real.setMode(mode, at: path)
    }

    func setModified(_ modified: Timestamp, at path: String) throws(FileError) {
        try mishap.step(path)
        try real.setModified(modified, at: path)
    }

    func setAttribute(
        _ name: String, _ value: [UInt8]?, at path: String
    ) throws(FileError) {
        try mishap.step(path)
        try mishap.refuse(.setAttribute, path)
        try real.setAttribute(name, value, at: path)
    }

    func setNote(_ note: [UInt8]?, at path: String) throws(FileError) {
        try mishap.step(path)
        try real.setNote(note, at: path)
    }

    func synchronizeFolder(_ path: String) throws(FileError) {
        try mishap.step(path)
        try mishap.refuse(.synchronise, path)
        mishap.noteSynchronised(path)
        try real.synchronizeFolder(path)
    }

    func openDisk(holding path: String) throws(FileError) -> any Disk {
        OpenMishapDisk(real: try real.openDisk(holding: path), path: path, mishap: mishap)
    }

    func isWritten(_ path: String) throws(FileError) -> Bool {
        (try? mishap.refuse(.write, path)) == nil
    }
    func note(at path: String) throws(FileError) -> [UInt8]? { try real.note(at: path) }
    func list(_ path: String) throws(FileError) -> [String] { try real.list(path) }
    func size(_ path: String) throws(FileError) -> Int64 { try real.size(path) }
    func modified(_ path: String) throws(FileError) -> Timestamp { try real.modified(path) }
    func exists(_ path: String) -> Bool {
        (try? mishap.refuse(.look, path)) != nil && real.exists(path)
    }
    func facts(of path: String) throws(FileError) -> FileFacts {
        try mishap.refuse(.look, path)
        return try real.facts(of: path)
    }
    func target(ofSymlink path: String) throws(FileError) -> String {
        try real.target(ofSymlink: path)
    }
    func attributes(of path: String) throws(FileError) -> [String: [UInt8]] {
        try real.attributes(of: path)
    }
    func openFolder(_ path: String) throws(FileError) -> any FolderNames {
        try real.openFolder(path)
    }
    func availableBytes(at path: String) throws(FileError) -> Int64 { 1 << 40 }
    func totalBytes(at path: String) throws(FileError) -> Int64 { 1 << 41 }
}

private struct OpenMishapDisk: Disk {
    let real: any Disk
    let path: String
    let mishap: DiskMishap

    func synchronize() throws(FileError) {
        try mishap.step(path)
        try real.synchronize()
    }
}

private final class MishapFile: ChangeableFile {
    private let real: any File
    private let path: String
    private let mishap: DiskMishap

    init(_ real: any File, _ path: String, _ mishap: DiskMishap) {
        self.real = real
        self.path = path
        self.mishap = mishap
    }

    var descriptor: Int32? { real.descriptor }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try real.read(at: offset, count: count)
    }

    func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
        try mishap.step(path, takesRoom: true)
        try real.write(bytes, at: offset)
    }

    func resize(to size: Int64) throws(FileError) {
        try mishap.step(path)
        guard let real = real as? any ChangeableFile else { return }
        try real.resize(to: size)
    }

    func synchronize() throws(FileError) {
        try mishap.step(path)
        try real.synchronize()
    }

    func data(in range: Range<Int64>) throws(FileError) -> [Range<Int64>] {
        try real.data(in: range)
    }

    func size() throws(FileError) -> Int64 { try real.size() }
}
