import BasketSupport

/// A new file that is gone with the value.
final class ScratchFile: Sendable {
    let file: any File
    private let path: String

    init(_ bytes: [UInt8] = []) throws {
        let files = LinuxFileSystem()
        let base = files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
        path = "\(base)/basket-scratch-\(UInt64.random(in: 0 ... .max))"
        file = try files.create(path)
        try file.write(bytes, at: 0)
    }

    deinit {
        try? LinuxFileSystem().remove(path)
    }

    func bytes() throws -> [UInt8] {
        try file.read(at: 0, count: Int(file.size()))
    }
}
