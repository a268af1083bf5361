import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

/// A folder that takes the name of another one is not that one: what is in the two stays apart.
@Suite("A folder under a name that another one has just left")
struct FolderNameStoryTests {
    private struct Places {
        let device: Device
        let stage: ServerStage

        /// What all devices and the server have in the end.
        func expect(_ paths: [String]) async throws {
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            let other = try await stage.device("other")
            try await other.host.waitForRest()
            for one in [device, other] {
                let found = try one.nodes().map(\.path).sorted()
                #expect(found == paths.sorted(), "\(one === device ? "here" : "there")")
            }
        }
    }

    /// - Parameter milliseconds: passes between what the body does.
    private static func play(
        _ body:
            @escaping @Sendable (Device, NodeID, @Sendable () async throws -> Void) async throws
            -> [String],
        after milliseconds: Int
    ) throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("d", in: .root)
            _ = try await device.create("old", in: folder, "old")
            try await device.host.waitForRest()
            let paths = try await body(device, folder) {
                if milliseconds > 0 { try await device.wait(milliseconds: milliseconds) }
            }
            try await Places(device: device, stage: stage).expect(paths)
        }
    }

    private static let pauses = [0, 1, 2, 5, 10, 20, 50, 200]

    @Test("is another one, with what is put into it", arguments: pauses, [false, true])
    func renamed(milliseconds: Int, isMoved: Bool) throws {
        try Self.play(
            { device, old, pause in
                let parent =
                    isMoved ? try await device.makeFolder("elsewhere", in: .root) : .root
                try await device.host.waitForRest()
                try await device.move(old, to: parent, as: "e")
                try await pause()
                let new = try await device.makeFolder("d", in: .root)
                try await pause()
                _ = try await device.create("new", in: new, "new")
                return isMoved
                    ? ["elsewhere", "elsewhere/e", "elsewhere/e/old", "d", "d/new"]
                    : ["e", "e/old", "d", "d/new"]
            }, after: milliseconds)
    }

    @Test("also where that one goes into it", arguments: pauses)
    func inside(milliseconds: Int) throws {
        try Self.play(
            { device, old, pause in
                try await device.move(old, to: .root, as: "aside")
                let new = try await device.makeFolder("d", in: .root)
                try await pause()
                try await device.move(old, to: new, as: "inner")
                return ["d", "d/inner", "d/inner/old"]
            }, after: milliseconds)
    }

    @Test("also where one goes into it whose name that one takes", arguments: pauses)
    func circle(milliseconds: Int) throws {
        try Self.play(
            { device, old, pause in
                let other = try await device.makeFolder("e", in: .root)
                _ = try await device.create("other", in: other, "other")
                try await device.host.waitForRest()
                try await device.move(other, to: .root, as: "aside")
                try await device.move(old, to: .root, as: "e")
                let new = try await device.makeFolder("d", in: .root)
                try await pause()
                try await device.move(other, to: new, as: "inner")
                return ["d", "d/inner", "d/inner/other", "e", "e/old"]
            }, after: milliseconds)
    }

    @Test("also where each of two goes into what takes the other's name", arguments: pauses)
    func crossed(milliseconds: Int) throws {
        try Self.play(
            { device, old, pause in
                let other = try await device.makeFolder("e", in: .root)
                try await device.host.waitForRest()
                try await device.move(old, to: .root, as: "aside 1")
                try await device.move(other, to: .root, as: "aside 2")
                let (one, two) = (
                    try await device.makeFolder("d", in: .root),
                    try await device.makeFolder("e", in: .root)
                )
                try await pause()
                try await device.move(old, to: two, as: "inner")
                try await device.move(other, to: one, as: "inner")
                return ["d", "d/inner", "e", "e/inner", "e/inner/old"]
            }, after: milliseconds)
    }

    @Test("also where that was in it, and is all that is left of it", arguments: pauses)
    func flattened(milliseconds: Int) throws {
        try Self.play(
            { device, old, pause in
                let inner = try await device.makeFolder("inner", in: old)
                _ = try await device.create("kept", in: inner, "kept")
                try await device.host.waitForRest()
                try await device.move(inner, to: .root, as: "aside")
                try await pause()
                for (path, node) in try device.nodes() where path == "d/old" {
                    try await device.remove(node.id)
                }
                try await device.remove(old)
                try await device.move(inner, to: .root, as: "d")
                return ["d", "d/kept"]
            }, after: milliseconds)
    }

    @Test("also where that one was empty, and is gone", arguments: pauses)
    func replaced(milliseconds: Int) throws {
        try Self.play(
            { device, old, pause in
                let empty = try await device.makeFolder("empty", in: .root)
                try await device.host.waitForRest()
                let new = try await device.makeFolder("new", in: .root)
                _ = try await device.create("inner", in: new, "inner")
                try await pause()
                try await device.remove(empty)
                try await device.move(new, to: .root, as: "empty")
                return ["d", "d/old", "empty", "empty/inner"]
            }, after: milliseconds)
    }

    @Test("also where that one is being made, and goes into it", arguments: pauses)
    func beingMade(milliseconds: Int) throws {
        try Self.play(
            { device, _, pause in
                device.network.delay = .milliseconds(40)
                let first = try await device.makeFolder("new", in: .root)
                try await pause()
                try await device.move(first, to: .root, as: "aside")
                let second = try await device.makeFolder("new", in: .root)
                try await pause()
                try await device.move(first, to: second, as: "inner")
                return ["d", "d/old", "new", "new/inner"]
            }, after: milliseconds)
    }

    @Test(
        "also where nobody has heard whether that one was made",
        arguments: [false, true], [false, true])
    func unheard(isFolder: Bool, isRemoved: Bool) throws {
        // A device's log-in outlives its death.
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            let first =
                isFolder
                ? try await device.makeFolder("new", in: .root)
                : try await device.create("new", in: .root, "text")
            try await device.wait(milliseconds: 2500)
            device.kill()
            #expect(try stage.storage.tree(for: "laptop").count == 1)
            device.network.isCut = true
            device.network.delay = .zero
            try await device.start()
            try await device.move(first, to: .root, as: "aside")
            let second = try await device.makeFolder("new", in: .root)
            try await device.move(first, to: second, as: "inner")
            if isRemoved { try await device.remove(first) }
            try await device.wait(seconds: 10)
            device.reconnect()
            try await Places(device: device, stage: stage).expect(
                isRemoved ? ["new"] : ["new", "new/inner"])
        }
    }

    @Test("leaves in its place what was put aside meanwhile, and is moved again", arguments: 1...8)
    func asideMeanwhile(seed: UInt64) throws {
        try ServerStage.play(habits: .third, seed: seed) { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("file", in: .root, "text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            try await device.move(file, to: folder, as: "moved")
            try await device.wait(milliseconds: 1300)
            device.kill()
            device.network.delay = .milliseconds(100)
            try await device.start()
            let new = try await device.makeFolder("file", in: .root)
            try await device.move(file, to: new, as: "inner")
            try await device.wait(milliseconds: 220)
            try await device.move(file, to: .root, as: "kept")
            try await Places(device: device, stage: stage).expect(["folder", "file", "kept"])
        }
    }

    @Test(
        "also where what was just written was to be put into it, and is removed while it is put aside"
    )
    func removedAside() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let file = try await device.create("file", in: .root, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("newer", to: file)
            try await device.move(file, to: .root, as: "aside")
            let new = try await device.makeFolder("file", in: .root)
            try await device.move(file, to: new, as: "inner")
            device.network.delay = .seconds(1)
            device.reconnect()
            try await device.wait(seconds: 1)
            try await device.remove(file)
            try await Places(device: device, stage: stage).expect(["file"])
        }
    }

    @Test(
        "also where that one was asked to be elsewhere, is to go, and what was in it goes there",
        arguments: 1...8)
    func askedElsewhere(seed: UInt64) throws {
        try ServerStage.play(seed: seed) { stage in
            let device = try await stage.device("laptop")
            let parent = try await device.makeFolder("parent", in: .root)
            let old = try await device.makeFolder("old", in: .root)
            let inner = try await device.makeFolder("inner", in: old)
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.move(old, to: parent, as: "place")
            try await device.wait(seconds: 2)
            try await device.move(inner, to: .root, as: "aside")
            try await device.wait(seconds: 2)
            try await device.remove(old)
            try await device.wait(seconds: 2)
            try await device.move(inner, to: parent, as: "place")
            try await device.wait(seconds: 2)
            device.reconnect()
            try await Places(device: device, stage: stage).expect(["parent", "parent/place"])
        }
    }

    @Test(
        "also where what was in that one goes into it, and that one goes", arguments: [false, true])
    func emptied(isFolder: Bool) throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let old = try await device.makeFolder("d", in: .root)
            let inner =
                isFolder
                ? try await device.makeFolder("inner", in: old)
                : try await device.create("inner", in: old, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            let new = try await device.makeFolder("new", in: .root)
            try await device.move(inner, to: new, as: "inner")
            try await device.remove(old)
            try await device.move(new, to: .root, as: "d")
            device.reconnect()
            try await Places(device: device, stage: stage).expect(["d", "d/inner"])
        }
    }

    @Test(
        "also where what is being put into that one takes its name", arguments: pauses,
        [false, true])
    func comesOut(milliseconds: Int, isKilled: Bool) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("d", in: .root)
            let other = try await device.makeFolder("e", in: .root)
            _ = try await device.create("kept", in: other, "kept")
            try await device.host.waitForRest()
            device.network.delay = .milliseconds(20)
            try await device.move(other, to: folder, as: "inner")
            try await device.wait(milliseconds: milliseconds)
            if isKilled {
                device.kill()
                try await device.start()
            }
            try await device.move(other, to: .root, as: "aside")
            try await device.remove(folder)
            try await device.wait(milliseconds: milliseconds)
            try await device.move(other, to: .root, as: "d")
            try await Places(device: device, stage: stage).expect(["d", "d/kept"])
        }
    }

    @Test("also where two others wait for each other and for what was to be in that one")
    func threeInTurn() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("h", in: .root)
            let one = try await device.create("k", in: .root, "one")
            let other = try await device.create("x", in: .root, "other")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.move(other, to: folder, as: "x")
            try await device.wait(seconds: 2)
            try await device.move(other, to: .root, as: "x")
            try await device.remove(folder)
            try await device.move(one, to: .root, as: "h")
            try await device.move(other, to: .root, as: "k")
            try await device.wait(seconds: 2)
            device.reconnect()
            try await Places(device: device, stage: stage).expect(["h", "k"])
            #expect(try stage.storage.tree(for: "laptop") == ["h": "one", "k": "other"])
        }
    }

    @Test(
        "also where what was in each of two others takes the other's name, and both of these go",
        arguments: [false, true], [false, true])
    func acrossRemoved(isMadeFirst: Bool, isCut: Bool) throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let folders = [
                try await device.makeFolder("p", in: .root),
                try await device.makeFolder("q", in: .root),
            ]
            var inner: [NodeID] = []
            for folder in folders { inner.append(try await device.makeFolder("inner", in: folder)) }
            _ = try await device.create("kept", in: inner[0], "kept")
            try await device.host.waitForRest()
            device.network.isCut = isCut
            var parents = [NodeID.root, .root]
            if isMadeFirst {
                for place in 0..<2 {
                    parents[place] = try await device.makeFolder("new \(place)", in: .root)
                }
            }
            for place in 0..<2 {
                try await device.move(inner[place], to: parents[place], as: "from \(place)")
            }
            for folder in folders { try await device.remove(folder) }
            let taking = isMadeFirst ? parents : inner
            try await device.move(taking[0], to: .root, as: "q")
            try await device.move(taking[1], to: .root, as: "p")
            device.reconnect()
            try await Places(device: device, stage: stage).expect(
                isMadeFirst
                    ? ["p", "p/from 1", "q", "q/from 0", "q/from 0/kept"] : ["p", "q", "q/kept"])
        }
    }

    @Test("is seen by nobody under another name where that one is removed with all that was in it")
    func madeAnew() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("d", in: .root)
            for number in 0..<5 { _ = try await device.create("\(number)", in: folder, "text") }
            try await device.host.waitForRest()
            let other = try await stage.device("watcher")
            try await other.host.waitForRest()
            device.network.delay = .milliseconds(50)
            for (path, node) in try device.nodes() where path.hasPrefix("d/") {
                try await device.remove(node.id)
            }
            try await device.remove(folder)
            let new = try await device.makeFolder("d", in: .root)
            _ = try await device.create("new", in: new, "text")
            for _ in 0..<100 {
                try await device.wait(milliseconds: 50)
                #expect(try other.nodes().allSatisfy { $0.path.first == "d" })
            }
            try await Places(device: device, stage: stage).expect(["d", "d/new"])
        }
    }
}
