import Foundation
import Glibc
import Testing

@testable import BasketSupport

@Suite("What others do with a file")
struct OpenFileFactsTests {
    private static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("is seen: who reads is not in the way, who writes is")
    func writers() throws {
        try Self.withFolder { folder in
            let files = LinuxFileSystem()
            let path = folder + "/file"
            _ = try files.create(path)
            #expect(try !files.isWritten(path))
            let reader = open(path, O_RDONLY)
            #expect(try !files.isWritten(path))
            let writer = open(path, O_WRONLY)
            #expect(try files.isWritten(path))
            close(writer)
            #expect(try !files.isWritten(path))
            close(reader)
            #expect(throws: FileError.self) { try files.isWritten(folder + "/nothing") }
        }
    }

    @Test("is not guessed: a link to what is no Unicode is not read as another one")
    func brokenLink() throws {
        try Self.withFolder { folder in
            let path = folder + "/link"
            let target: [CChar] = [0x61, -1, 0x62, 0]
            #expect(symlink(target, path) == 0)
            #expect { try LinuxFileSystem().target(ofSymlink: path) } throws: {
                ($0 as? FileError)?.code == EILSEQ
            }
        }
    }
}
