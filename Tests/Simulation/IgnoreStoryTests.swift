import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What lists in folders name")
struct IgnoreStoryTests {
    @Test("stays here for as long as they do")
    func ignoreList() throws {
        try Stage.play { cloud, device in
            let list = try await device.create(".basketignore", in: .root, "*.log\nbuild/\n")
            try await device.host.waitForRest()
            _ = try await device.create("a.log", in: .root, "log")
            let build = try await device.makeFolder("build", in: .root)
            _ = try await device.create("b", in: build, "built")
            _ = try await device.create("c.txt~", in: .root, "backup")
            _ = try await device.create("c.txt", in: .root, "text")
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().keys) == [".basketignore", "c.txt"])

            try await device.write("nothing", to: list)
            try await device.host.waitForRest()
            #expect(
                Set(cloud.tree().keys) == [".basketignore", "c.txt", "a.log", "build", "build/b"])
        }
    }

    @Test(
        "stays here also in the place of a folder that was at the provider, and out of which it was filled"
    )
    func ignoredInPlace() throws {
        try Stage.play { cloud, device in
            let build = try await device.makeFolder("build", in: .root)
            let file = try await device.create("file", in: build, "text")
            try await device.host.waitForRest()
            _ = try await device.create(".basketignore", in: .root, "build/\n")
            try await device.host.waitForRest()
            device.network.isCut = true
            let new = try await device.makeFolder("build 2", in: .root)
            try await device.move(file, to: new, as: "file")
            try await device.remove(build)
            try await device.move(new, to: .root, as: "build")
            device.reconnect()
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().keys) == [".basketignore"])
            #expect(
                try Set(device.nodes().map(\.path)) == [".basketignore", "build", "build/file"])
        }
    }

    @Test("does not stay here where its folder has moved away from that")
    func ignoredBefore() throws {
        try Stage.play { cloud, device in
            _ = try await device.create(".basketignore", in: .root, "/drafts/*\n/work/*.log\n")
            let drafts = try await device.makeFolder("drafts", in: .root)
            let work = try await device.makeFolder("work", in: .root)
            for folder in [drafts, work] {
                _ = try await device.create("a.log", in: folder, "text")
                let inner = try await device.makeFolder("inner", in: folder)
                _ = try await device.create("b.log", in: inner, "text")
            }
            try await device.host.waitForRest()
            let sent = ["drafts", "work", "work/inner", "work/inner/b.log", ".basketignore"]
            #expect(Set(cloud.tree().keys) == Set(sent))

            try await device.move(drafts, to: .root, as: "final")
            let other = try await device.makeFolder("other", in: .root)
            try await device.move(work, to: other, as: "work")
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().keys) == Set(try device.nodes().map(\.path)))
            #expect(cloud.tree()["other/work/a.log"] == "text")
        }
    }

    @Test("is not sent when its folder is thrown away")
    func ignoredInTrash() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create(".basketignore", in: folder, "/inner/*.log\n")
            let inner = try await device.makeFolder("inner", in: folder)
            let file = try await device.create("a.log", in: inner, "text")
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().keys) == ["folder", "folder/.basketignore", "folder/inner"])
            try await device.move(inner, to: .trash, as: "inner")
            try await device.wait(seconds: 10)
            try await device.host.waitForRest()
            #expect(!cloud.tree().keys.contains { $0.hasSuffix("a.log") })
            #expect(try await device.text(of: file) == "text")

            try await device.move(inner, to: .root, as: "inner")
            try await device.host.waitForRest()
            #expect(cloud.tree()["inner/a.log"] == "text")
        }
    }

    @Test("stays here as well when another list is thrown away")
    func listInTrash() throws {
        try Stage.play { cloud, device in
            _ = try await device.create(".basketignore", in: .root, "*.secret\n")
            let folder = try await device.makeFolder("folder", in: .root)
            let list = try await device.create(".basketignore", in: folder, "build/\n")
            try await device.host.waitForRest()
            try await device.move(list, to: .trash, as: ".basketignore")
            try await device.host.waitForRest()
            _ = try await device.create("a.secret", in: .root, "text")
            _ = try await device.makeFolder("build", in: .root)
            try await device.host.waitForRest()
            #expect(!cloud.tree().keys.contains("a.secret"))
            #expect(cloud.tree().keys.contains("build"))
        }
    }

    @Test("bears the system's own mark before any other, for as long as it stays here")
    func marked() throws {
        try Stage.play { _, device in
            let list = try await device.create(".basketignore", in: .root, "build/\n")
            try await device.host.waitForRest()
            let folder = try await device.makeFolder("build", in: .root)
            let inner = try await device.create("a", in: folder, "text")
            let other = try await device.create("b", in: .root, "text")
            try await device.host.waitForRest()
            func marks(of id: NodeID) throws -> [String] {
                try device.host.decorations(of: id).map(\.identifier.rawValue)
            }
            for id in [folder, inner] {
                #expect(try marks(of: id) == ["FileProviderHost.excluded"])
            }
            #expect(try marks(of: other).isEmpty)

            try await device.write("nothing", to: list)
            try await device.host.waitForRest()
            for id in [folder, inner, other] { #expect(try marks(of: id).isEmpty) }
        }
    }
}
