import BasketConnection
import BasketContent
import BasketSupport
import Foundation
import Testing

@Suite("A file's manifest")
struct FileManifestTests {
    private func withFile(
        _ bytes: [UInt8], _ body: (any File) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        let file = try LinuxFileSystem().create(path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try file.write(bytes, at: 0)
        try await body(file)
    }

    @Test(
        "is the same whether one task reads the file or two",
        arguments: [0, 1, 100_000, 1 << 20, 3 << 20 | 17])
    func together(size: Int) async throws {
        var random = SeededGenerator(seed: UInt64(size))
        let bytes = random.bytes(size)
        try await withFile(bytes) { file in
            let alone = try await FileManifest.read(file, size: Int64(size), isLong: false)
            let together = try await FileManifest.read(file, size: Int64(size), isLong: true)
            #expect(alone == together)
            #expect(together.hash == ContentHash(of: bytes))
        }
    }

    @Test("is that of no file which is shorter than it was said to be", arguments: [true, false])
    func short(isLong: Bool) async throws {
        try await withFile([1, 2, 3]) { file in
            await #expect(throws: ConnectionError.self) {
                try await FileManifest.read(file, size: 4, isLong: isLong)
            }
        }
    }
}
