import Foundation
import Testing

@testable import BasketSupport

@Suite("The data of a file with holes")
struct FileDataTests {
    private static let block: Int64 = 1 << 16

    /// Four blocks long, with data in the second and in the last.
    private static func withFile(_ body: (any ChangeableFile) throws -> Void) throws {
        let files = LinuxFileSystem()
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        try files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try files.create(folder + "/file")
        let file = try files.openToChange(folder + "/file")
        try file.resize(to: 4 * block)
        let bytes = [UInt8](repeating: 1, count: Int(block))
        try file.write(bytes, at: block)
        try file.write(bytes, at: 3 * block)
        try body(file)
    }

    @Test(
        "is told as far as it lies in a range",
        arguments: [
            (0..<4, [1..<2, 3..<4]), (0..<1, []), (0..<2, [1..<2]), (1..<2, [1..<2]),
            (1..<3, [1..<2]), (2..<3, []), (2..<4, [3..<4]), (3..<4, [3..<4]), (4..<6, []),
            (1..<1, []),
        ] as [(Range<Int64>, [Range<Int64>])])
    func data(range: Range<Int64>, expected: [Range<Int64>]) throws {
        func blocks(_ range: Range<Int64>) -> Range<Int64> {
            range.lowerBound * Self.block..<range.upperBound * Self.block
        }
        try Self.withFile { file in
            let found = try file.data(in: blocks(range))
            #expect(found == expected.map(blocks))
        }
    }

    @Test("begins and ends in the middle of a part, where the range does")
    func middle() throws {
        try Self.withFile { file in
            let range = Self.block + 10..<Self.block + 20
            let found = try file.data(in: range)
            #expect(found == [range])
        }
    }

    @Test("is all of it where nobody can tell")
    func untold() throws {
        #expect(try Plain().data(in: 3..<9) == [3..<9])
    }

    private final class Plain: File {
        var descriptor: Int32? { nil }
        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { [] }
        func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {}
        func synchronize() throws(FileError) {}
        func size() throws(FileError) -> Int64 { 0 }
    }
}
