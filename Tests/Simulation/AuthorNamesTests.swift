import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

/// Nobody else is there: whatever becomes of requests and answers, there is no reason for any other name than those that
/// the person has given.
@Suite("What one person does on one device")
struct AuthorNamesTests {
    /// Each of them has found a mistake.
    private static let found = [
        11, 21, 121, 213, 222, 225, 238, 244, 273, 329, 418, 458, 515, 603, 735,
    ].map { Run(seed: $0, steps: 150) }
    /// In these an earlier date than that of a content whose answer was lost made a conflict of a person's own.
    private static let foundLater = [
        3_345_470_756, 3_345_470_748, 1_736_086_865, 1_927_691_692, 3_185_474_794, 3_185_474_844,
    ].map { Run(seed: $0, steps: 500) }
    /// In these a name that was given up shows for seconds.
    private static let foundGhosts = [4_225_901_640, 3_345_470_812].map {
        Run(seed: $0, steps: 500)
    }

    /// What the person knows to be there.
    private struct Work {
        var texts: [String: String] = [:]
        var folders = [""]
        var count = 0
        /// Every name that was given, and is no more.
        var left: Set<String> = []

        var tree: [String: String] {
            folders.dropFirst().reduce(into: texts) { $0[$1] = "/" }
        }

        mutating func text() -> String {
            count += 1
            return "text \(count)"
        }

        mutating func name() -> String {
            count += 1
            return "name\(count)x"
        }
    }

    /// A random number below that one.
    private typealias Draw = (Int) -> Int

    private static func node(_ path: String, on device: Device) throws -> NodeID {
        guard !path.isEmpty else { return .root }
        return try #require(try device.nodes().first { $0.path == path }).node.id
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let parts = path.split(separator: "/").map(String.init)
        return (parts.dropLast().joined(separator: "/"), parts.last ?? "")
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : folder + "/" + name
    }

    private static func make(_ path: String, _ text: String, on device: Device) async throws {
        let (folder, name) = split(path)
        _ = try await device.create(name, in: node(folder, on: device), text)
    }

    private static func move(_ path: String, to other: String, on device: Device) async throws {
        let (folder, name) = split(other)
        try await device.move(node(path, on: device), to: node(folder, on: device), as: name)
    }

    private static func step(_ work: inout Work, _ draw: Draw, on device: Device) async throws {
        let files = work.texts.keys.sorted()
        let folder = work.folders[draw(work.folders.count)]
        guard let file = files.isEmpty ? nil : files[draw(files.count)], draw(4) > 0 else {
            let path = join(folder, work.name())
            work.texts[path] = work.text()
            return try await make(path, work.texts[path] ?? "", on: device)
        }
        let text = work.text()
        switch draw(8) {
        case 0:
            work.texts[file] = text
            try await device.write(text, to: node(file, on: device))
        case 1, 2:
            work.texts[file] = text
            try await make(file + ".draft", text, on: device)
            if draw(4) == 0 { try await device.wait(milliseconds: draw(1500)) }
            try await move(file + ".draft", to: file, on: device)
            work.left.insert(file + ".draft")
        case 3:
            // What is kept under a name like that is nobody's but this device's.
            let kept = file + ".kept"
            guard work.texts[kept] == nil else { return }
            try await move(file, to: kept, on: device)
            if draw(2) == 0 { try await device.wait(milliseconds: draw(3000)) }
            work.texts[kept] = work.texts.removeValue(forKey: file)
            work.texts[file] = text
            try await make(file, text, on: device)
        case 4:
            let other = join(folder, work.name())
            work.texts[other] = work.texts.removeValue(forKey: file)
            try await move(file, to: other, on: device)
        case 5:
            work.texts[file] = nil
            try await device.remove(node(file, on: device))
            guard draw(2) == 0 else { return }
            work.texts[file] = text
            try await make(file, text, on: device)
        case 6:
            guard let other = files.filter({ $0 != file }).randomElement(by: draw) else { return }
            work.texts[other] = work.texts.removeValue(forKey: file)
            try await move(file, to: other, on: device)
        default:
            guard work.folders.count < 5 else { return }
            let path = join(folder, work.name())
            work.folders.append(path)
            let (parent, name) = split(path)
            try await device.makeFolder(name, in: node(parent, on: device))
        }
    }

    @Test(
        "keeps the names that it gives, whatever is lost on the way",
        arguments: Seeds.chosen(25, found: found + foundLater + foundGhosts))
    func play(run: Run) throws {
        try ServerStage.play(habits: .third, seed: run.seed) { stage in
            let device = try await stage.device("laptop")
            try await device.host.waitForRest()
            let draw: Draw = { device.network.choose($0) }
            var work = Work()
            // What there was that nobody had called so, and when that was first seen.
            var others: [String: String] = [:]
            var seen: Set<String> = []
            /// - Parameter isOver: whether the provider has answered everything.
            func look(isOver: Bool = false) throws {
                let wanted = work.tree.keys
                work.left = work.left.union(seen).subtracting(wanted)
                seen = Set(wanted)
                // What the provider tells of before it answers who has asked for it may show for that long, without its bytes,
                // where it has been given up meanwhile: nobody can know that it is not another's.
                let there = try device.nodes().filter { node in
                    isOver || node.node.residence != .dataless || !work.left.contains(node.path)
                }.map(\.path)
                if there.sorted() == wanted.sorted() { return }
                let (more, missing) = (
                    there.filter { !wanted.contains($0) }, wanted.filter { !there.contains($0) }
                )
                let words = "\(more) too much, \(missing) missing"
                if others[words] == nil { others[words] = "\(device.network.now)" }
            }
            for _ in 0..<run.steps {
                switch draw(40) {
                case 0:
                    device.network.isCut = true
                case 1, 2, 3:
                    device.network.lossOneIn = draw(2) == 0 ? 0 : 3
                    device.reconnect()
                case 4:
                    device.kill()
                    try await device.start()
                case 5...20:
                    for _ in 0..<draw(40) {
                        try await device.wait(milliseconds: draw(100))
                        try look()
                    }
                default: break
                }
                device.network.delay = .milliseconds(draw(3) == 0 ? 1000 : 0)
                try await Self.step(&work, draw, on: device)
                try look()
            }
            device.network.lossOneIn = 0
            device.network.delay = .zero
            device.reconnect()
            for _ in 0..<200 {
                try await device.wait(milliseconds: 100)
                try look()
            }
            try await device.replica.write { try $0.confirmRemovals() }
            try await device.host.waitForRest()
            try look(isOver: true)
            #expect(others.isEmpty, "\(run)")
            let tree = try stage.storage.tree(for: "laptop")
            let paths = Set(tree.keys).union(work.tree.keys).sorted()
            let differing = paths.filter { tree[$0] != work.tree[$0] }.map { path in
                "\(path): \(tree[path] ?? "nothing") instead of \(work.tree[path] ?? "nothing")"
            }
            #expect(differing.isEmpty, "\(run)")
        }
    }
}

extension Array {
    fileprivate func randomElement(by draw: (Int) -> Int) -> Element? {
        isEmpty ? nil : self[draw(count)]
    }
}
