import BasketSupport
import BasketUpkeep
import Testing

@Suite("A data folder")
struct DataFolderTests {
    @Test("is held by one process at a time, and says by which")
    func lock() async throws {
        let home = try TestHome()
        let folder = DataFolder(path: home.path + "/data")
        let files = LinuxFileSystem()
        try folder.create(files)
        var lock: FileLock? = try folder.lock(files)
        #expect(lock != nil)

        let error = #expect(throws: DataFolderError.self) { try folder.lock(files) }
        #expect(error == .inUse(folder.path, process: FileDamage.process))
        #expect(error?.message.contains("\(FileDamage.process)") == true)

        lock = nil
        #expect(throws: Never.self) { try folder.lock(files) }
    }

    @Test("is for its owner alone")
    func mode() throws {
        let home = try TestHome()
        let folder = DataFolder(path: home.path + "/data")
        try folder.create(LinuxFileSystem())
        #expect(FileDamage.permissions(of: folder.path) == 0o700)
        #expect(FileDamage.permissions(of: folder.tls) == 0o700)
    }
}
