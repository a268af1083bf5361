import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("A folder that is let go of")
struct FolderEvictionTests {
    @Test("goes with its list, and names what has to stay in it, and why")
    func folderEviction() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let inner = try await device.makeFolder("inner", in: folder)
            let file = try await device.create("a", in: inner, "text")
            try await device.host.waitForRest()
            let (identifier, child) = (
                try device.identifier(of: folder), try device.identifier(of: file)
            )
            func materialised() throws -> Set<NSFileProviderItemIdentifier> {
                try device.replica.read { reader in
                    Set(
                        try reader.members(of: .materialised, after: 0, limit: 100)
                            .map(\.identifier))
                }
            }
            let all: Set = [identifier, child, try device.identifier(of: inner)]
            #expect(try materialised().isSuperset(of: all))

            device.system.show(.init("Work"), at: "/home/ann/Work")
            let open = try await device.open(file, for: .reading)
            let refusal = await #expect(throws: (any Error).self) {
                try await device.manager.evictItem(identifier: identifier)
            }
            try await open.close()
            #expect(ManagerStoryTests.code(refusal) == .nonEvictableChildren)
            let facts = try (#require(refusal) as NSError).userInfo
            #expect((facts[NSURLErrorKey] as? URL)?.path == "/home/ann/Work/folder")
            let causes = facts["NSMultipleUnderlyingErrorsKey"] as? [any Error]
            let cause = try #require(causes?.first) as NSError
            #expect(cause.domain == NSPOSIXErrorDomain && cause.code == Int(EBUSY))
            #expect(
                (cause.userInfo[NSURLErrorKey] as? URL)?.path == "/home/ann/Work/folder/inner/a")
            #expect(
                cause.userInfo[NSFileProviderErrorItemKey] as? NSFileProviderItemIdentifier == child
            )

            try await device.manager.evictItem(identifier: identifier)
            #expect(try device.residence(of: file) == .dataless)
            #expect(try materialised().isDisjoint(with: all))
            // What is known of it stays, and comes anew with the next look.
            #expect(try device.nodes().count == 3)
            cloud.add("b", "text", in: try device.identifier(of: inner).rawValue)
            try await device.host.list(folder)
            try await device.host.list(inner)
            #expect(try await device.text(of: file) == "text")
            try await device.host.waitForRest()
            #expect(try device.nodes().count == 4)
            #expect(try materialised().isSuperset(of: all))
        }
    }

    @Test("goes but for what stays on the device, and for the folders that it lies in")
    func excluded() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let inner = try await device.makeFolder("inner.local", in: folder)
            let files = [
                try await device.create("a.local", in: folder, "text"),
                try await device.create("b", in: inner, "text"),
                try await device.create("c", in: folder, "text"),
            ]
            try await device.host.waitForRest()
            try await device.host.evict(folder)
            #expect(try files.map(device.residence) == [.whole, .whole, .dataless])
            for id in [inner, files[0], files[1]] {
                let refusal = await #expect(throws: (any Error).self) {
                    try await device.host.evict(id)
                }
                #expect(ManagerStoryTests.code(refusal) == .excludedFromSync)
            }
            #expect(try device.nodes().count == 5)
        }
    }

    @Test("goes but for what the device goes by, and for the folders that it lies in")
    func ignoreLists() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let inner = try await device.makeFolder("inner", in: folder)
            let other = try await device.makeFolder("other", in: folder)
            let list = try await device.create(".basketignore", in: inner, "*.log\n")
            let files = [
                try await device.create("a", in: inner, "text"),
                try await device.create("b", in: other, "text"),
                try await device.create("c", in: folder, "text"),
            ]
            try await device.host.waitForRest()
            try await device.host.evict(folder)
            for file in files { #expect(try device.residence(of: file) == .dataless) }
            #expect(try device.residence(of: list) == .whole)
            let listed = try device.replica.read { reader in
                try [folder, inner, other].map { try reader.node($0)?.isListed }
            }
            #expect(listed == [true, true, false])
        }
    }

    @Test("has nothing come any more that was to come, neither where it is kept here no more")
    func wanted() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            var files: [NodeID] = []
            for number in 0..<40 {
                files.append(try await device.create("\(number)", in: folder, "text \(number)"))
            }
            try await device.host.waitForRest()
            func here() throws -> Int {
                try files.filter { try device.residence(of: $0) == .whole }.count
            }
            try await device.host.evict(folder)
            #expect(try here() == 0)
            device.network.companion.fetchFailure = NSFileProviderError(.cannotSynchronize)
            try await device.move(folder, to: .root, as: "pinned")
            try await device.wait(seconds: 30)
            #expect(try device.replica.read { try $0.wanted(limit: 100) }.count >= 40)
            try await device.move(folder, to: .root, as: "folder")
            try await device.wait(seconds: 30)
            device.network.companion.fetchFailure = nil
            try await device.wait(seconds: 600)
            #expect(try here() == 0)

            // What somebody has asked for comes, until somebody wants the room.
            device.network.companion.fetchFailure = NSFileProviderError(.cannotSynchronize)
            for file in files { try await device.host.requestDownload(of: file) }
            try await device.wait(seconds: 30)
            try await device.host.evict(folder)
            device.network.companion.fetchFailure = nil
            try await device.wait(seconds: 600)
            #expect(try here() == 0)
        }
    }

    @Test("shows nothing that has gone meanwhile, also where nobody was told")
    func ghosts() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("a", in: folder, "text")
            _ = try await device.create("b", in: folder, "text")
            try await device.host.waitForRest()
            try await device.host.evict(folder)
            let identifier = try device.identifier(of: file).rawValue
            cloud.remove("a")
            cloud.forgetChange(of: identifier)
            try await device.wait(seconds: 60)
            try await device.host.list(folder)
            try await device.host.waitForRest()
            let paths = try device.nodes().map(\.path)
            #expect(paths == ["folder", "folder/b"])
        }
    }

    @Test("stays where the provider has not heard of something in it")
    func unsentFolderEviction() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            device.network.isCut = true
            _ = try await device.makeFolder("inner", in: folder)
            let refusal = await #expect(throws: (any Error).self) {
                try await device.manager.evictItem(identifier: device.identifier(of: folder))
            }
            #expect(ManagerStoryTests.code(refusal) == .nonEvictableChildren)
            let node = try device.replica.read { try $0.node(folder) }
            #expect(node?.isListed == true)
        }
    }

    @Test("may be let go of once more, as may its files: what is not here is what was asked for")
    func twice() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("a", in: folder, "text")
            try await device.host.waitForRest()
            for id in [file, file, folder, folder] {
                try await device.manager.evictItem(identifier: device.identifier(of: id))
            }
            #expect(try device.residence(of: file) == .dataless)
            #expect(try await device.text(of: file) == "text")
        }
    }
}
