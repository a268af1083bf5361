import BasketSupport

/// The first account's password, where it cannot be shown to one person alone: in a file that only the server's user can
/// read.
struct FirstPasswordFile {
    let path: String

    init(in data: String) {
        path = data + "/first-password"
    }

    /// Durable when this returns.
    func write(_ password: String, _ files: any FileSystem) throws(FileError) {
        if files.exists(path) { try files.remove(path) }
        let file = try files.create(path)
        try files.setMode(0o600, at: path)
        try file.write(Array((password + "\n").utf8), at: 0)
        try file.synchronize()
        try files.synchronizeFolder(LinuxFileSystem.folder(of: path))
    }
}
