import BasketSupport
import Glibc
import Synchronization

/// A disk that a power cut takes the last bytes from: of what was not made durable, the end may be gone, or
/// all of it; and, where that is wanted, the names that are not. It can fill up, fail, and be one that keeps no notes at files.
final class SimulatedDisk: FileSystem {
    private struct State {
        var keepsNotes = true
        var isFailing = false
        var isFull = false
        /// How much room there is; nil for more than anybody needs.
        var room: Int64?
        var writesParts = false
        /// The files whose bytes it does not take, and those of which it has said so.
        var bad: (files: Set<String>, told: Set<String>) = ([], [])
        /// How often something was lost, and whether anybody has heard of the last time.
        var losses: (count: Int, areHeard: Bool) = (0, true)
        /// How much it holds, and how much of that is somebody else's; nil for more than anybody fills.
        var size: (whole: Int64, others: Int64)?
        /// Nil for one that forgets no names.
        var names: NameJournal?
    }

    private let real = LinuxFileSystem()
    private let unsafe = Mutex<Set<String>>([])
    private let state = Mutex(State())

    /// From now on a power cut takes names, too.
    /// - Parameter graves: a folder of the same disk for what is removed, until that is durable.
    func forgetNames(keeping graves: String) throws {
        try real.makeFolder(graves)
        state.withLock { $0.names = NameJournal(graves: graves) }
    }

    /// Nothing of that happens on a disk that forgets no names.
    private func noteNames(_ body: (inout NameJournal) throws(FileError) -> Void) throws(FileError)
    {
        try state.withLock { state throws(FileError) in
            guard var names = state.names else { return }
            try body(&names)
            state.names = names
        }
    }

    /// Whether something can be noted at a file.
    var keepsNotes: Bool {
        get { state.withLock { $0.keepsNotes } }
        set { state.withLock { $0.keepsNotes = newValue } }
    }

    /// Whether it tells of no file when that was written.
    var isFailing: Bool {
        get { state.withLock { $0.isFailing } }
        set { state.withLock { $0.isFailing = newValue } }
    }

    /// The bytes of these files never get to it. It says so once of each, and once as a whole to each who has it open:
    /// as Linux does, where who opens it later hears of that only if nobody has before.
    func spoil(_ paths: Set<String>) {
        state.withLock { state in
            state.bad = (paths, [])
            if !paths.isEmpty { state.losses = (state.losses.count + 1, false) }
        }
    }

    fileprivate func synchronise(_ path: String) throws(FileError) {
        let (isBad, isNews) = state.withLock { state in
            let isBad = state.bad.files.contains(path)
            return (isBad, isBad && state.bad.told.insert(path).inserted)
        }
        if isNews { throw FileError("synchronise", path, code: EIO) }
        if !isBad { synchronised(path) }
    }

    fileprivate func lossesHeard() -> Int {
        state.withLock { $0.losses.areHeard ? $0.losses.count : $0.losses.count - 1 }
    }

    /// - Parameter heard: how many losses who asks has heard of.
    fileprivate func synchroniseAll(heard: inout Int) throws(FileError) {
        let (losses, bad) = state.withLock { state in
            state.losses.areHeard = true
            return (state.losses.count, state.bad.files)
        }
        if losses != heard {
            heard = losses
            throw FileError("synchronise", "the disk", code: EIO)
        }
        unsafe.withLock { $0.formIntersection(bad) }
        try noteNames { $0.synchronise(nil, real) }
    }

    func fill(_ capacity: Int64, others: Int64) {
        state.withLock { $0.size = (capacity, others) }
    }

    /// Whether nothing more can be written to it.
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Whether as much of something is written as there is room for.
    var writesParts: Bool {
        get { state.withLock { $0.writesParts } }
        set { state.withLock { $0.writesParts = newValue } }
    }

    /// How much of what needs so many bytes more is written when it cannot be all.
    fileprivate func roomForSome(of bytes: Int64) -> Int64 {
        state.withLock { state in
            guard state.writesParts, let room = state.room, room < bytes else { return 0 }
            return room
        }
    }

    /// Leaves no more room than so many bytes.
    func fill(leaving bytes: Int64) {
        state.withLock { $0.room = bytes }
    }

    /// There is room again.
    func empty() {
        state.withLock { $0.room = nil }
    }

    fileprivate func take(_ bytes: Int64, for path: String) throws(FileError) {
        let hasRoom = state.withLock { state in
            if state.isFull { return false }
            guard let left = state.room, bytes > 0 else { return true }
            guard left >= bytes else { return false }
            state.room = left - bytes
            return true
        }
        guard hasRoom else { throw FileError("write", path, code: ENOSPC) }
    }

    /// The power is cut.
    /// - Parameters:
    ///   - remainder: how much is left of a file of that size.
    ///   - forgets: whether a folder forgets from here on, asked for each change of its names.
    func lose(_ remainder: (Int) -> Int, forgets: () -> Bool = { false }) throws {
        for path in unsafe.withLock({ $0.sorted() }) where real.exists(path) {
            let bytes = try real.contents(of: path)
            let left = remainder(bytes.count)
            guard left < bytes.count else { continue }
            try real.openToChange(path).resize(to: Int64(left))
        }
        unsafe.withLock { $0 = [] }
        try state.withLock { try $0.names?.lose(real, forgets: forgets) }
    }

    fileprivate func wrote(to path: String) {
        unsafe.withLock { _ = $0.insert(path) }
    }

    fileprivate func synchronised(_ path: String) {
        unsafe.withLock { _ = $0.remove(path) }
    }

    func create(_ path: String) throws(FileError) -> any File {
        try take(0, for: path)
        defer { wrote(to: path) }
        let file = try real.create(path)
        try noteNames { $0.note(.made(path)) }
        return SimulatedFile(file, path, self)
    }

    func open(_ path: String) throws(FileError) -> any File {
        SimulatedFile(try real.open(path), path, self)
    }

    func openToChange(_ path: String) throws(FileError) -> any ChangeableFile {
        SimulatedFile(try real.openToChange(path), path, self)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        var replaced: String?
        try noteNames { names throws(FileError) in
            guard real.exists(path), real.exists(target) else { return }
            let grave = names.nextGrave()
            try real.link(target, to: grave)
            replaced = grave
        }
        try real.rename(path, to: target)
        try noteNames { $0.note(.renamed(path, to: target, replaced: replaced)) }
        unsafe.withLock { paths in
            if paths.remove(path) != nil { paths.insert(target) } else { paths.remove(target) }
        }
    }

    func remove(_ path: String) throws(FileError) {
        let isScarce = state.withLock { $0.room } != nil
        let size = isScarce ? try real.size(path) : 0
        var grave: String?
        try noteNames { names throws(FileError) in
            let place = names.nextGrave()
            try real.link(path, to: place)
            grave = place
        }
        try real.remove(path)
        if let grave { try noteNames { $0.note(.removed(path, grave: grave)) } }
        state.withLock { state in state.room = state.room.map { $0 + size } }
        synchronised(path)
    }

    func removeFolder(_ path: String) throws(FileError) {
        try real.removeFolder(path)
        try noteNames { $0.note(.removedFolder(path)) }
    }

    func openDisk(holding path: String) throws(FileError) -> any Disk { OpenDisk(self) }

    func note(at path: String) throws(FileError) -> [UInt8]? {
        keepsNotes ? try real.note(at: path) : nil
    }
    func setNote(_ note: [UInt8]?, at path: String) throws(FileError) {
        guard keepsNotes else { throw FileError("write at", path, code: EOPNOTSUPP) }
        if let note, let room = state.withLock({ $0.room }), room < note.count {
            throw FileError("write at", path, code: ENOSPC)
        }
        try real.setNote(note, at: path)
    }
    func makeFolder(_ path: String) throws(FileError) {
        try noteNames { names throws(FileError) in
            var missing = path
            var made: [String] = []
            while !real.exists(missing) {
                made.append(missing)
                missing = Self.folder(of: missing)
            }
            for path in made.reversed() { names.note(.madeFolder(path)) }
        }
        try real.makeFolder(path)
    }
    func list(_ path: String) throws(FileError) -> [String] { try real.list(path) }
    func size(_ path: String) throws(FileError) -> Int64 { try real.size(path) }
    func modified(_ path: String) throws(FileError) -> Timestamp {
        if isFailing { throw FileError("look at", path, code: EIO) }
        return try real.modified(path)
    }
    func exists(_ path: String) -> Bool { real.exists(path) }
    func synchronizeFolder(_ path: String) throws(FileError) {
        try noteNames { $0.synchronise(path, real) }
    }
    func link(_ path: String, to target: String) throws(FileError) {
        try real.link(path, to: target)
        try noteNames { $0.note(.made(target)) }
    }
    func facts(of path: String) throws(FileError) -> FileFacts { try real.facts(of: path) }
    func setMode(_ mode: UInt16, at path: String) throws(FileError) {
        try real.setMode(mode, at: path)
    }
    func setModified(_ modified: Timestamp, at path: String) throws(FileError) {
        try real.setModified(modified, at: path)
    }
    func renameExclusively(_ path: String, to target: String) throws(FileError) {
        try real.renameExclusively(path, to: target)
        try noteNames { $0.note(.renamed(path, to: target, replaced: nil)) }
    }
    func makeSymlink(to target: String, at path: String) throws(FileError) {
        try real.makeSymlink(to: target, at: path)
        try noteNames { $0.note(.made(path)) }
    }
    func target(ofSymlink path: String) throws(FileError) -> String {
        try real.target(ofSymlink: path)
    }
    func attributes(of path: String) throws(FileError) -> [String: [UInt8]] {
        try real.attributes(of: path)
    }
    func setAttribute(
        _ name: String, _ value: [UInt8]?, at path: String
    ) throws(FileError) {
        try real.setAttribute(name, value, at: path)
    }
    func openFolder(_ path: String) throws(FileError) -> any FolderNames {
        try real.openFolder(path)
    }
    func totalBytes(at path: String) throws(FileError) -> Int64 {
        state.withLock { $0.size?.whole ?? 1 << 41 }
    }
    func availableBytes(at path: String) throws(FileError) -> Int64 {
        if let room = state.withLock({ $0.room }) { return room }
        guard let size = state.withLock({ $0.size }) else { return 1 << 40 }
        var used: Int64 = 0
        for folder in try real.list(path) {
            // What is a file itself is none of the contents.
            for file in (try? real.list("\(path)/\(folder)")) ?? [] {
                used += (try? real.size("\(path)/\(folder)/\(file)")) ?? 0
            }
        }
        return max(0, size.whole - size.others - used)
    }
}

private final class OpenDisk: Disk {
    private let disk: SimulatedDisk
    private let heard: Mutex<Int>

    init(_ disk: SimulatedDisk) {
        self.disk = disk
        heard = Mutex(disk.lossesHeard())
    }

    func synchronize() throws(FileError) {
        try heard.withLock { heard throws(FileError) in try disk.synchroniseAll(heard: &heard) }
    }
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
        let needed = try offset + Int64(bytes.count) - real.size()
        let some = disk.roomForSome(of: needed)
        if some > 0 {
            try disk.take(some, for: path)
            var part: [UInt8] = []
            for index in 0..<bytes.count - Int(needed - some) { part.append(bytes[index]) }
            try real.write(part, at: offset)
        }
        try disk.take(needed - some, for: path)
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

    func synchronize() throws(FileError) { try disk.synchronise(path) }
    func size() throws(FileError) -> Int64 { try real.size() }
}
