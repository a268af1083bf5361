import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("A name that a device itself has asked for, without hearing the answer,")
struct OwnNameStoryTests {
    /// What becomes of the answer to the request by which the name was taken at the server.
    enum Answer: CaseIterable, Sendable {
        case late, lost
        /// The device dies meanwhile.
        case unheard
        /// It comes, before anything else is done.
        case heard
    }

    /// What is done next under the name.
    enum Turn: CaseIterable, Sendable {
        case savedOver, removedAndMade, renamedAndMade, movedAwayAndMade, renamedAndRenamedTo
    }

    private static func stop(_ device: Device, _ answer: Answer) async throws {
        switch answer {
        case .late: break
        case .heard:
            device.network.delay = .zero
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
        case .lost:
            device.network.isCut = true
            try await device.wait(seconds: 3)
        case .unheard:
            device.kill()
            device.network.isCut = true
            try await device.start()
        }
    }

    private static func expect(
        _ wanted: [String: String], on device: Device, _ stage: ServerStage,
        toleratesMoments: Bool = false
    ) async throws {
        // Nobody sees another name for a moment either.
        var others: Set<[String]> = []
        for _ in 0..<1500 {
            let paths = try device.nodes().map(\.path).sorted()
            if paths != wanted.keys.sorted() { others.insert(paths) }
            try await device.wait(milliseconds: 20)
        }
        #expect(others.isEmpty || toleratesMoments, "\(others)")
        try await device.host.waitForRest()
        #expect(try stage.storage.tree(for: "laptop") == wanted)
        #expect(try Set(device.nodes().map(\.path)) == Set(wanted.keys))
    }

    @Test("stays its own when a new file takes it", arguments: Turn.allCases, Answer.allCases)
    func file(turn: Turn, answer: Answer) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            try await device.makeFolder("away", in: .root)
            try await device.host.waitForRest()
            let away = try #require(try device.nodes().first).node.id
            var wanted = ["away": "/", "text": "the second"]
            device.network.delay = .seconds(1)
            let first = try await device.create("text", in: .root, "the first")
            while try stage.storage.tree(for: "laptop")["text"] == nil {
                try await device.wait(milliseconds: 10)
            }
            try await Self.stop(device, answer)
            switch turn {
            case .savedOver:
                let draft = try await device.create("text.draft", in: .root, "the second")
                try await device.host.move(draft, to: .root, as: "text", replaces: true)
            case .removedAndMade:
                try await device.remove(first)
                _ = try await device.create("text", in: .root, "the second")
            case .renamedAndMade:
                try await device.move(first, to: .root, as: "other")
                try await device.wait(seconds: 10)
                _ = try await device.create("text", in: .root, "the second")
                wanted["other"] = "the first"
            case .movedAwayAndMade:
                try await device.move(first, to: away, as: "other")
                _ = try await device.create("text", in: .root, "the second")
                wanted["away/other"] = "the first"
            case .renamedAndRenamedTo:
                let second = try await device.create("second", in: .root, "the second")
                try await device.wait(seconds: 5)
                try await device.move(first, to: .root, as: "other")
                try await device.wait(seconds: 5)
                try await device.move(second, to: .root, as: "text")
                wanted["other"] = "the first"
            }
            try await device.wait(seconds: 2)
            device.reconnect()
            device.network.delay = .milliseconds(200)
            try await Self.expect(wanted, on: device, stage)
        }
    }

    @Test(
        "is exchanged with another such one, whatever was made of both",
        arguments: Answer.allCases, [0, 1, 2])
    func exchanged(answer: Answer, made: Int) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            try await device.host.waitForRest()
            let names = ["a", "b"]
            var nodes: [NodeID] = []
            for (number, name) in names.enumerated() {
                device.network.delay = .seconds(1)
                if number >= made { device.network.isCut = true }
                nodes.append(try await device.create(name, in: .root, "text of \(name)"))
                while number < made, try stage.storage.tree(for: "laptop")[name] == nil {
                    try await device.wait(milliseconds: 10)
                }
            }
            try await device.wait(seconds: 1)
            if made == 2 || answer != .heard { try await Self.stop(device, answer) }
            // What was made is told of before anybody has answered who made it.
            try await device.move(nodes[0], to: .root, as: "aside")
            try await device.move(nodes[1], to: .root, as: "a")
            try await device.move(nodes[0], to: .root, as: "b")
            try await device.wait(seconds: 2)
            device.reconnect()
            device.network.delay = .milliseconds(200)
            try await Self.expect(["a": "text of b", "b": "text of a"], on: device, stage)
        }
    }

    @Test("is none of another device that calls the same item by the same number")
    func anothersAside() throws {
        try ServerStage.play(habits: .third) { stage in
            let laptop = try await stage.device("laptop")
            try await laptop.host.waitForRest()
            // One after the other, so that whoever lists them numbers them in this order, too.
            var nodes: [NodeID] = []
            for name in ["a", "b"] {
                nodes.append(try await laptop.create(name, in: .root, "text of \(name)"))
                try await laptop.host.waitForRest()
            }
            let desktop = try await stage.device("desktop")
            try await desktop.host.waitForRest()
            #expect(try desktop.nodes().map(\.node.id) == laptop.nodes().map(\.node.id))
            laptop.network.delay = .seconds(3)
            try await laptop.host.exchange(nodes[0], with: nodes[1], askedBy: 1)
            var seen: Set<String> = []
            for _ in 0..<2000 {
                seen.formUnion(try desktop.nodes().map(\.path))
                try await desktop.wait(milliseconds: 20)
            }
            for device in [laptop, desktop] { try await device.host.waitForRest() }
            // Otherwise this shows nothing.
            #expect(seen.contains { $0.hasSuffix(".basket-aside") })
            let wanted = ["a": "text of b", "b": "text of a"]
            #expect(try stage.storage.tree(for: "laptop") == wanted)
            for device in [laptop, desktop] {
                #expect(try Set(device.nodes().map(\.path)) == Set(wanted.keys))
            }
        }
    }

    @Test("stays its own when a new folder takes it", arguments: Answer.allCases, [false, true])
    func folder(answer: Answer, isFull: Bool) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            let first = try await device.makeFolder("folder", in: .root)
            let inner = isFull ? try await device.create("old", in: first, "an old text") : nil
            let last = isFull ? "folder/old" : "folder"
            while try stage.storage.tree(for: "laptop")[last] == nil {
                try await device.wait(milliseconds: 10)
            }
            try await Self.stop(device, answer)
            if let inner { try await device.remove(inner) }
            try await device.remove(first)
            let second = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("new", in: second, "a new text")
            try await device.wait(seconds: 2)
            device.reconnect()
            device.network.delay = .milliseconds(200)
            let wanted = ["folder": "/", "folder/new": "a new text"]
            // To the server both folders are one: what was in the first is told of in the second, and only then goes.
            try await Self.expect(wanted, on: device, stage, toleratesMoments: isFull)
        }
    }

    @Test(
        "stays its own when it was asked for by a change of name", arguments: Answer.allCases,
        [false, true])
    func renamed(answer: Answer, isBack: Bool) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            let file = try await device.create("before", in: .root, "the first")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            try await device.move(file, to: .root, as: "text")
            while try stage.storage.tree(for: "laptop")["text"] == nil {
                try await device.wait(milliseconds: 10)
            }
            try await Self.stop(device, answer)
            let other = isBack ? "before" : "other"
            try await device.move(file, to: .root, as: other)
            try await device.wait(seconds: 5)
            _ = try await device.create("text", in: .root, "the second")
            try await device.wait(seconds: 2)
            device.reconnect()
            device.network.delay = .milliseconds(200)
            let wanted = [other: "the first", "text": "the second"]
            try await Self.expect(wanted, on: device, stage)
        }
    }
}
