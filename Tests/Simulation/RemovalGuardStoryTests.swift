import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A device of which much is removed")
struct RemovalGuardStoryTests {
    @Test(
        "holds many removals back until somebody says that they are meant",
        arguments: [true, false])
    func removals(isMeant: Bool) throws {
        try Stage.play { cloud, device in
            var files: [NodeID] = []
            for number in 0..<60 {
                files.append(try await device.create("\(number)", in: .root, "text \(number)"))
            }
            try await device.host.waitForRest()
            for file in files[..<40] { try await device.remove(file) }
            try await device.wait(seconds: 120)

            #expect(cloud.tree().count == 60)
            #expect(try device.nodes().count == 20)
            #expect(try device.replica.read { try $0.heldRemovals() } == 40)
            #expect(try !device.host.isAtRest())
            // Everything else goes on.
            let other = try await device.create("other", in: .root, "text")
            cloud.add("theirs", "text")
            try await device.write("another text", to: files[50])
            try await device.wait(seconds: 60)
            #expect(cloud.tree()["other"] == "text" && cloud.tree()["50"] == "another text")
            #expect(try device.nodes().contains { $0.path == "theirs" })
            try await device.remove(other)
            cloud.remove("theirs")
            // Nothing comes of waiting for that.
            await #expect(throws: NSFileProviderError.self) {
                try await device.host.waitForChanges(below: .root)
            }

            try await device.replica.write { transaction in
                try isMeant ? transaction.confirmRemovals() : transaction.undoRemovals()
            }
            try await device.host.waitForRest()
            #expect(cloud.tree().count == (isMeant ? 20 : 60))
            #expect(try device.nodes().count == (isMeant ? 20 : 60))
            #expect(try device.replica.read { try $0.heldRemovals() } == 0)
        }
    }

    @Test("brings back a folder with what was in it, also one that waited to go after that")
    func folder() throws {
        try Stage.play { cloud, device in
            let outer = try await device.makeFolder("outer", in: .root)
            let inner = try await device.makeFolder("inner", in: outer)
            var files: [NodeID] = []
            for number in 0..<60 {
                files.append(try await device.create("\(number)", in: inner, "text \(number)"))
            }
            try await device.host.waitForRest()
            // So many have gone before anybody could think of a mistake.
            for file in files[..<20] { try await device.remove(file) }
            try await device.wait(seconds: 5)
            for node in files[20...] + [inner, outer] { try await device.remove(node) }
            try await device.wait(seconds: 20)
            let before = cloud.tree()
            #expect(try device.replica.read { try $0.heldRemovals() } > 0)

            try await device.host.undoRemovals()
            try await device.wait(seconds: 120)

            #expect(cloud.tree() == before && before.count == 42)
            #expect(try device.nodes().count == before.count)
            #expect(try device.replica.read { try $0.heldRemovals() } == 0)
        }
    }

    @Test("asks once about many folders that lie in each other")
    func nested() throws {
        try Stage.play { cloud, device in
            var folders: [NodeID] = []
            for number in 0..<60 {
                let parent = folders.last ?? .root
                folders.append(try await device.makeFolder("\(number)", in: parent))
            }
            try await device.host.waitForRest()
            for folder in folders.reversed() { try await device.remove(folder) }
            try await device.wait(seconds: 120)
            // The others wait for what was in them.
            #expect(try device.replica.read { try $0.heldRemovals() } == 1)
            #expect(cloud.tree().count == 60)

            try await device.host.confirmRemovals()
            try await device.wait(seconds: 120)

            #expect(cloud.tree().isEmpty)
            #expect(try device.replica.read { try $0.heldRemovals() } == 0)
        }
    }

    @Test("holds nothing back of what others take the place of")
    func replaced() throws {
        try Stage.play { cloud, device in
            var drafts: [NodeID] = []
            for number in 0..<60 {
                _ = try await device.create("\(number)", in: .root, "text \(number)")
                drafts.append(
                    try await device.create("draft \(number)", in: .root, "another \(number)"))
            }
            // The provider knows them as items of their own.
            try await device.host.waitForRest()
            for (number, draft) in drafts.enumerated() {
                try await device.move(draft, to: .root, as: "\(number)")
            }
            try await device.wait(seconds: 120)
            #expect(try device.replica.read { try $0.heldRemovals() } == 0)
            #expect(
                cloud.tree()
                    == Dictionary(uniqueKeysWithValues: (0..<60).map { ("\($0)", "another \($0)") })
            )
        }
    }

    @Test("holds back what others take the place of that were there for long")
    func movedOver() throws {
        try Stage.play { cloud, device in
            for number in 0..<60 { cloud.add("\(number)", "text \(number)") }
            try await device.host.waitForRest()
            let files = try device.nodes().map(\.node.id)
            #expect(files.count == 60)
            for file in files { try await device.move(file, to: .root, as: "the same") }
            try await device.wait(seconds: 120)
            #expect(try device.replica.read { try $0.heldRemovals() } > 30)
        }
    }

    @Test("holds nothing back of what is written anew under its name", arguments: [false, true])
    func rewritten(isMoved: Bool) throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            var files: [NodeID] = []
            for number in 0..<60 {
                files.append(try await device.create("\(number)", in: folder, "text \(number)"))
            }
            try await device.host.waitForRest()
            // As "git checkout" does it, and "tar".
            for file in files { try await device.remove(file) }
            try await device.wait(seconds: 5)
            #expect(try device.replica.read { try $0.heldRemovals() } == 60)
            for number in 0..<60 where number != 7 {
                if isMoved {
                    let draft = try await device.create("draft", in: .root, "another \(number)")
                    try await device.move(draft, to: folder, as: "\(number)")
                } else {
                    _ = try await device.create("\(number)", in: folder, "another \(number)")
                }
            }
            try await device.wait(seconds: 120)
            // That one is not there any more.
            #expect(try device.replica.read { try $0.heldRemovals() } == 1)
            #expect(cloud.tree()["folder/7"] == "text 7")
            #expect((0..<60).filter { cloud.tree()["folder/\($0)"] == "another \($0)" }.count == 59)
            #expect(cloud.tree().count == 61)
        }
    }

    @Test("removes a few things at once, and one of them later")
    func fewRemovals() throws {
        try Stage.play { cloud, device in
            var files: [NodeID] = []
            for number in 0..<30 {
                files.append(try await device.create("\(number)", in: .root, "text \(number)"))
            }
            try await device.host.waitForRest()
            for file in files[..<20] { try await device.remove(file) }
            try await device.wait(seconds: 120)
            try await device.remove(files[20])
            try await device.host.waitForRest()
            #expect(cloud.tree().count == 9)
        }
    }

    @Test(
        "holds removals back for as long as nobody says anything, whatever became of the first ones"
    )
    func oldRemovals() throws {
        try Stage.play { cloud, device in
            var files: [NodeID] = []
            for number in 0..<30 {
                files.append(try await device.create("\(number)", in: .root, "text \(number)"))
            }
            try await device.host.waitForRest()
            for file in files[..<15] { try await device.remove(file) }
            try await device.host.waitForRest()
            for file in files[15..<25] { try await device.remove(file) }
            for day in 0..<3 {
                try await device.wait(seconds: 86_400)
                await device.stop()
                try await device.start()
                try await device.write("day \(day)", to: files[29])
            }
            try await device.wait(seconds: 60)
            #expect(try device.replica.read { try $0.heldRemovals() } == 10)
            #expect(cloud.tree().count == 15)
        }
    }

    @Test(
        "holds back more than two hundred, however much there is, and more than a fifth of less",
        arguments: [(200, 1100), (201, 1100), (60, 300), (61, 300)])
    func many(count: Int, all: Int) throws {
        try Stage.play { cloud, device in
            for number in 0..<all { cloud.add("\(number)", "text \(number)") }
            try await device.host.waitForRest()
            for node in try device.nodes().prefix(count) { try await device.remove(node.node.id) }
            try await device.wait(seconds: 120)
            let isHeld = count > 200 || count == 61
            #expect(try device.replica.read { try $0.heldRemovals() } == (isHeld ? count : 0))
            #expect(cloud.tree().count == (isHeld ? all : all - count))
        }
    }
}
