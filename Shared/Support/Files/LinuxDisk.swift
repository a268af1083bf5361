/// A disk of the machine's, by something that lies on it and stays open.
struct LinuxDisk: Disk {
    private let file: LinuxFile

    init(_ file: LinuxFile) { self.file = file }

    func synchronize() throws(FileError) { try file.synchronizeDisk() }
}
