import BasketSupport
import Foundation
import Glibc
import Testing

@Suite("Folders on the disk")
struct FolderTests {
    private let files = LinuxFileSystem()

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "basket-folders-" + UUID().uuidString
        try files.makeFolder(folder)
        defer { try? files.removeTree(folder) }
        try body(folder)
    }

    private func put(_ text: String, at path: String) throws {
        try files.create(path).write(Array(text.utf8), at: 0)
    }

    @Test("go only as folders, and only when nothing is in them")
    func removeFolder() throws {
        try inFolder { folder in
            try put("text", at: folder + "/file")
            #expect(throws: FileError.self) { try files.removeFolder(folder + "/file") }
            #expect(throws: FileError.self) { try files.removeFolder(folder) }
            try files.makeFolder(folder + "/empty")
            try files.removeFolder(folder + "/empty")
            #expect(try files.list(folder) == ["file"])
        }
    }

    @Test("are not followed to where a symlink leads that has taken the place of one")
    func symlink() throws {
        try inFolder { folder in
            try files.makeFolder(folder + "/theirs")
            try files.setMode(0o750, at: folder + "/theirs")
            try files.makeSymlink(to: "theirs", at: folder + "/link")
            #expect(throws: FileError.self) { try files.openFolder(folder + "/link") }
            #expect(throws: FileError.self) { try files.setMode(0o700, at: folder + "/link") }
            #expect(try files.facts(of: folder + "/theirs").mode == 0o750)
        }
    }

    @Test("and files get a name that nobody has, also where the disk cannot promise that")
    func claim() throws {
        try inFolder { folder in
            try files.makeFolder(folder + "/a")
            try put("mine", at: folder + "/a/file")
            try files.makeFolder(folder + "/taken")
            try put("text", at: folder + "/b")
            try files.makeSymlink(to: "nowhere", at: folder + "/link")
            for name in ["a", "b", "link"] {
                let error = #expect(throws: FileError.self) {
                    try files.renameByClaim("\(folder)/\(name)", to: folder + "/taken")
                }
                #expect(error?.code == EEXIST)
                try files.renameByClaim("\(folder)/\(name)", to: "\(folder)/new \(name)")
            }
            #expect(try files.list(folder) == ["new a", "new b", "new link", "taken"])
            #expect(try files.contents(of: folder + "/new a/file") == Array("mine".utf8))
            #expect(try files.target(ofSymlink: folder + "/new link") == "nowhere")
        }
    }
}
