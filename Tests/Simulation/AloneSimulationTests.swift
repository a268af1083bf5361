import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

/// One person at one device. Nobody else does anything, so that what is there in the end is what was done, name for name:
/// nothing is merged, renamed or brought back.
@Suite("A person alone")
struct AloneSimulationTests {
    /// Each of them has found a mistake.
    private static let found = [
        410_518_569, 410_518_883, 410_519_758, 410_520_058, 799_699_375, 799_699_783,
    ].map {
        Run(seed: $0, steps: 300)
    }

    @Test(
        "has everywhere what was done, name for name",
        arguments: Seeds.chosen(80, found: Self.found))
    func tree(run: Run) throws {
        let mishaps = AloneMishaps(rawValue: run.seed % 4) ?? .none
        let habits = mishaps.hasDeaths ? Habits.fifth : .first
        try ServerStage.play(habits: habits, seed: run.seed) { stage in
            var play = AlonePlay(
                run, mishaps, storage: stage.storage, device: try await stage.device("laptop"))
            do {
                try await play.perform()
                let tree = try stage.storage.tree(for: "laptop")
                #expect(tree == play.tree, "\(run.seed): \(play.story)")
                let other = try await stage.device("desktop")
                try await other.host.waitForRest()
                #expect(try Set(other.nodes().map(\.path)) == Set(tree.keys))
            } catch is AlonePlay.TwoDeaths {
            } catch {
                Issue.record("\(run.seed): \(error) \(play.story)")
            }
        }
    }
}

/// What happens besides that the network is slow, and cut at times.
private enum AloneMishaps: UInt64 {
    case none, deaths, losses, everything

    var hasDeaths: Bool { self == .deaths || self == .everything }
    var hasLosses: Bool { self == .losses || self == .everything }
}

/// What somebody does at random, and what has to be there.
private struct AlonePlay {
    private let device: Device
    private let storage: ServerStorage
    private let mishaps: AloneMishaps
    private let steps: Int
    private var random: SeededNumbers
    private var count = 0
    private var deaths = 0
    private var deeds: [String] = []
    /// What a path holds; of a folder: `/`.
    private(set) var tree: [String: String] = [:]

    private static let names = ["a", "b", "c", "d"]
    private static let mostItems = 14

    init(_ run: Run, _ mishaps: AloneMishaps, storage: ServerStorage, device: Device) {
        self.device = device
        self.storage = storage
        self.mishaps = mishaps
        steps = run.steps
        random = SeededNumbers(run.seed)
    }

    var story: String { deeds.suffix(60).joined(separator: "; ") }

    mutating func perform() async throws {
        try await device.host.waitForRest()
        device.network.delay = [.zero, .milliseconds(2), .milliseconds(40), .seconds(1)][random(4)]
        if mishaps.hasLosses {
            device.network.lossOneIn = 4 + random(20)
            device.network.repetitionOneIn = [0, 6][random(2)]
        }
        for _ in 0..<steps {
            try await act()
            try await suffer()
            let found = try found()
            guard found == Set(tree.keys) else {
                throw Mismatch(here: found.sorted(), done: tree.keys.sorted())
            }
            try await pause()
        }
        device.network.delay = .zero
        device.network.lossOneIn = 0
        try await storage.suffer(.recovers)
        device.reconnect()
        // So many may look like a mistake.
        for _ in 0..<3 {
            _ = try await device.host.confirmRemovals()
            try await device.wait(seconds: 120)
        }
        try await device.host.waitForRest()
        let found = try found()
        guard found == Set(tree.keys) else {
            throw Mismatch(here: found.sorted(), done: tree.keys.sorted())
        }
    }

    private func found() throws -> Set<String> {
        let found = try Set(device.nodes().map(\.path))
        if deaths > 1, found.contains(where: { $0.contains("(conflict from") }) {
            throw TwoDeaths()
        }
        return found
    }

    /// Who dies twice while what was written waits for an answer may find that beside what was written later: the play
    /// is over.
    struct TwoDeaths: Error {}

    private struct Mismatch: Error {
        let here: [String]
        let done: [String]
    }

    /// What goes wrong now and then: between any two things that are under way.
    private mutating func suffer() async throws {
        if mishaps.hasDeaths, random(50) == 0 {
            deeds.append("kill")
            deaths += 1
            device.kill()
            try await device.start()
        }
        if mishaps == .everything, random(100) == 0 {
            deeds.append("kill the server")
            try await storage.suffer(.dies)
        }
    }

    private mutating func pause() async throws {
        switch random(20) {
        case 0: try await device.wait(seconds: 3)
        case 1...4: try await device.wait(milliseconds: random(200))
        case 5...8: try await device.wait(milliseconds: random(8))
        case 9 where random(4) == 0:
            deeds.append("cut")
            device.network.isCut = true
        case 10 where device.network.isCut:
            deeds.append("on")
            device.reconnect()
        default: break
        }
    }

    private mutating func act() async throws {
        let place = somePlace()
        let old = tree.keys.sorted().randomElement(using: &random)
        switch random(11) {
        case 10:
            guard let old, let text = tree[old], text != "/" else { return }
            try await read(old, text)
        case 0...2:
            guard tree[place] == nil, tree.count < Self.mostItems else { return }
            deeds.append("mkdir \(place)")
            tree[place] = "/"
            _ = try await device.makeFolder(Self.name(of: place), in: folder(of: place))
        case 3...4:
            guard tree[place] == nil, tree.count < Self.mostItems else { return }
            count += 1
            deeds.append("create \(place)")
            tree[place] = "text \(count)"
            _ = try await device.create(
                Self.name(of: place), in: folder(of: place), "text \(count)")
        case 5:
            guard let old, tree[old] != "/" else { return }
            count += 1
            deeds.append("write \(old)")
            tree[old] = "text \(count)"
            try await device.write("text \(count)", to: id(of: old))
        case 6:
            guard let old, isEmpty(old) else { return }
            let id = try id(of: old)
            guard try await isListed(old) else { return }
            deeds.append("remove \(old)")
            tree[old] = nil
            try await device.remove(id)
        default:
            guard let old, canMove(old, to: place), try await isListed(place) else { return }
            deeds.append("move \(old) \(place)")
            let moved = (try id(of: old), try folder(of: place))
            tree[place] = nil
            for (path, text) in tree where path == old || path.hasPrefix(old + "/") {
                tree[path] = nil
                tree[place + path.dropFirst(old.count)] = text
            }
            try await device.move(moved.0, to: moved.1, as: Self.name(of: place))
        }
    }

    /// What is there is what was written; also where it has to be fetched.
    private mutating func read(_ path: String, _ text: String) async throws {
        let id = try id(of: path)
        if random(2) == 0 {
            deeds.append("evict \(path)")
            try? await device.host.evict(id)
        }
        guard let found = try? await device.text(of: id), found != text else { return }
        throw OtherText(path: path, found: found, written: text)
    }

    private struct OtherText: Error {
        let path: String
        let found: String
        let written: String
    }

    private mutating func somePlace() -> String {
        let folders = [""] + tree.filter { $0.value == "/" }.keys.sorted().map { $0 + "/" }
        let folder = folders[random(folders.count)]
        return folder + Self.names[random(Self.names.count)]
    }

    private func canMove(_ old: String, to place: String) -> Bool {
        if place == old || place.hasPrefix(old + "/") || old.hasPrefix(place + "/") { return false }
        guard let other = tree[place] else { return true }
        return (other == "/") == (tree[old] == "/") && isEmpty(place)
    }

    /// Where nobody knows what is in a folder, that is asked for before it goes.
    private func isListed(_ path: String) async throws -> Bool {
        guard tree[path] == "/" else { return true }
        if device.network.isCut { return false }
        let id = try id(of: path)
        do { try await device.host.list(id) } catch { return false }
        return true
    }

    private func isEmpty(_ path: String) -> Bool {
        !tree.keys.contains { $0.hasPrefix(path + "/") }
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    private func folder(of path: String) throws -> NodeID {
        let parts = path.split(separator: "/").dropLast()
        return parts.isEmpty ? .root : try id(of: parts.joined(separator: "/"))
    }

    private func id(of path: String) throws -> NodeID {
        try #require(try device.nodes().first { $0.path == path }).node.id
    }
}

/// The same numbers each time.
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func callAsFunction(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
