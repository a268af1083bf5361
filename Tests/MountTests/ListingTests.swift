import BasketSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import FileProviderMount
@testable import FileProviderReplica

/// Three who list a folder all the time.
private final class Readers: Sendable {
    private let isOver = Atomic(false)
    private let count = Atomic(3)

    init(of path: String) {
        for _ in 0..<3 {
            Thread.detachNewThread { [self] in
                while !isOver.load(ordering: .relaxed) {
                    _ = try? FileManager.default.contentsOfDirectory(atPath: path)
                }
                count.subtract(1, ordering: .relaxed)
            }
        }
    }

    func stop() async throws {
        isOver.store(true, ordering: .relaxed)
        while count.load(ordering: .relaxed) > 0 { try await Task.sleep(for: .milliseconds(10)) }
    }
}

/// The kernel keeps what was listed of a folder, and asks nobody when it is listed again.
@Suite("What the kernel keeps of listings", .timeLimit(.minutes(5)))
struct ListingTests {
    private let folder = NodeID(rawValue: 7)

    @Test("holds until something changes in the folder")
    func change() {
        let listings = KeptListings()
        #expect(!listings.open(folder, as: 1))
        listings.close(1)
        #expect(listings.open(folder, as: 2))
        listings.close(2)
        #expect(!listings.noteChange(in: folder))
        #expect(!listings.open(folder, as: 3))
        #expect(listings.open(folder, as: 4))
        #expect(listings.noteChange(in: folder))
    }

    @Test("is not trusted while somebody lists who has begun before the change")
    func oldReader() {
        let listings = KeptListings()
        #expect(!listings.open(folder, as: 1))
        _ = listings.noteChange(in: folder)
        #expect(!listings.open(folder, as: 2))
        listings.close(2)
        #expect(!listings.open(folder, as: 3))
        listings.close(1)
        #expect(!listings.open(folder, as: 4))
        #expect(listings.open(folder, as: 5))
    }

    @Test("is not trusted while somebody lists who has begun before this process")
    func otherProcess() {
        let listings = KeptListings()
        listings.note(1, in: folder)
        _ = listings.noteChange(in: folder)
        #expect(!listings.open(folder, as: 2))
        #expect(!listings.open(folder, as: 3))
        listings.close(1)
        #expect(!listings.open(folder, as: 4))
        #expect(listings.open(folder, as: 5))
        for handle in [2, 3, 4, 5] as [UInt64] { listings.close(handle) }
        listings.forget(folder)
        #expect(!listings.open(folder, as: 6))
    }

    @Test(
        "shows what others have made and removed, though many list the folder all the time",
        .enabled(if: MountStage.isPossible))
    func others() async throws {
        try await MountStage.play { stage in
            let served = stage.served + "/folder"
            mkdir(served, 0o755)
            for number in 0..<600 { try stage.put("folder/kept \(number) with a long name", "") }
            try await stage.settle()
            let path = stage.mounted + "/folder"
            let readers = Readers(of: path)
            func names() throws -> Set<String> {
                Set(try FileManager.default.contentsOfDirectory(atPath: path))
            }
            var wrong: [String] = []
            for round in 0..<60 {
                try stage.put("folder/new \(round)", "")
                if round > 0 { unlink(served + "/new \(round - 1)") }
                try await stage.settle()
                var found: Set<String> = []
                for _ in 0..<100 {
                    found = try names()
                    if found.contains("new \(round)"), !found.contains("new \(round - 1)") { break }
                    try await Task.sleep(for: .milliseconds(10))
                }
                // What was missed stays for good, and what a program does itself is there at once.
                let others = found.filter { !$0.hasPrefix("kept") }
                if others != ["new \(round)"] || found.count != 601 {
                    wrong.append("\(round): \(others.sorted()), \(found.count)")
                }
                try Data().write(to: URL(fileURLWithPath: path + "/own"))
                if try !names().contains("own") { wrong.append("own is not there") }
                unlink(path + "/own")
                if try names().contains("own") { wrong.append("own is there") }
            }
            try await readers.stop()
            #expect(wrong.isEmpty)
        }
    }

    @Test(
        "tells of a folder's date, once it was listed, when others have changed what is in it",
        .enabled(if: MountStage.isPossible))
    func date() async throws {
        try await MountStage.play { stage in
            for folder in ["listed", "other"] {
                mkdir(stage.served + "/" + folder, 0o755)
                try stage.put(folder + "/a", "a")
            }
            try await stage.settle()
            let path = stage.mounted
            func dates() async throws -> [Timestamp] {
                try await MountStage.onThread {
                    try ["listed", "other"].map { folder in
                        try LinuxFileSystem().modified(path + "/" + folder)
                    }
                }
            }
            let listed = try await MountStage.onThread {
                try FileManager.default.contentsOfDirectory(atPath: path + "/listed")
            }
            #expect(listed == ["a"])
            let before = try await dates()
            for folder in ["listed", "other"] { try stage.put(folder + "/b", "b") }
            try await stage.settle()
            var after = try await dates()
            for _ in 0..<500 where after[0] == before[0] {
                try await Task.sleep(for: .milliseconds(10))
                after = try await dates()
            }
            #expect(after[0] > before[0])
            #expect(after[1] == before[1])
        }
    }
}
