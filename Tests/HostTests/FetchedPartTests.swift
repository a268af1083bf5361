import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

@Suite("A part of a content")
struct FetchedPartTests {
    @Test(
        "has what was asked for, also where the disk made holes of its zeros, and of the rest what is no hole"
    )
    func holes() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/part-\(UUID().uuidString)"
        let files = LinuxFileSystem()
        try files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let source = try files.create(folder + "/source")
        let size: Int64 = 1 << 20
        try source.write([1], at: 0)
        try source.write([2], at: size - 1)
        _ = try files.create(folder + "/target")
        let target = try files.openToChange(folder + "/target")
        let item = RemoteItem(
            identifier: .init("a"), parent: .rootContainer, name: "a", kind: .file,
            content: .version(Data([1])), size: size)
        let part = FetchedPart(
            file: URL(fileURLWithPath: folder + "/source"), item: item, range: 0..<size,
            asked: 300_000..<400_000, hasTrueHoles: false)

        let parts = try part.copy(to: target, ofSize: size, in: .live(log: .silent))

        #expect(parts.contains(300_000..<400_000))
        #expect(!parts.contains { $0.contains(500_000) || $0.contains(200_000) })
        #expect(parts.first?.contains(0) == true && parts.last?.contains(size - 1) == true)

        // What reaches behind the content's end is no part of it.
        let end = size - 10
        #expect(
            try part.copy(to: target, ofSize: end, in: .live(log: .silent))
                .allSatisfy { $0.upperBound <= end })
    }
}
