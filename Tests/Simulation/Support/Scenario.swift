import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization

/// Some devices, their people, and what may go wrong, all from one seed.
final class Scenario: Sendable {
    /// What was found, if anything is wrong.
    struct Verdict: Sendable {
        var problems: [String] = []
        var trace: [String] = []
        var steps = 0
    }

    private let seed: UInt64
    private let steps: Int
    private let executor: SimulationExecutor
    private let state = Mutex(State())

    private struct State {
        var verdict = Verdict()
        var isOver = false
        var hasOrphans = false
        /// By device, what was written and may not be on its disk.
        var unsafe: [String: [String]] = [:]
    }

    private let makeStorage: @Sendable (String, World) async throws -> any Storage

    /// - Parameter makeStorage: in a folder, in a world.
    init(
        seed: UInt64, steps: Int,
        makeStorage: @escaping @Sendable (String, World) async throws -> any Storage
    ) {
        self.seed = seed
        self.makeStorage = makeStorage
        self.steps = steps
        executor = SimulationExecutor(seed: seed)
    }

    func run() -> Verdict {
        let folder = "/dev/shm/basket-simulation-\(UUID().uuidString)"
        try? FileManager.default.removeItem(atPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let task = Task(executorPreference: executor) {
            do {
                try await self.play(in: folder)
            } catch {
                self.complain("the scenario itself failed: \(error)")
            }
            self.state.withLock { $0.isOver = true }
        }
        executor.run { state.withLock { $0.isOver } }
        if !state.withLock({ $0.isOver }) { complain("everything stands still") }
        task.cancel()
        return state.withLock { $0.verdict }
    }

    private func complain(_ problem: String) {
        state.withLock { $0.verdict.problems.append(problem) }
    }

    private func trace(_ line: String) {
        state.withLock { $0.verdict.trace.append("\(executor.time.components.seconds)s \(line)") }
    }

    private func play(in folder: String) async throws {
        try LinuxFileSystem().makeFolder(folder)
        let storage = try await makeStorage(folder, executor.world())
        var devices: [Device] = []
        for index in 0..<(2 + executor.random(3)) {
            let device = try Device(
                "device\(index)", storage: storage, executor: executor, folder: folder,
                inParts: executor.random(2) == 0, lossOneIn: [0, 40, 10][executor.random(3)])
            try await device.start()
            devices.append(device)
        }
        let (books, programs) = (Books(), OpenPrograms())
        for step in 0..<steps {
            try await executor.sleep(.milliseconds(executor.random(200)))
            let device = devices[executor.random(devices.count)]
            await act(on: device, step, books, programs)
            for device in devices { try lookAt(device, step) }
            state.withLock { $0.verdict.steps += 1 }
        }
        for device in devices { device.reconnect() }
        try await settle(devices)
        for device in devices { device.network.lossOneIn = 0 }
        // Whoever lost its stream of events opens another one.
        try await executor.sleep(.seconds(120))
        try await settle(devices)
        try await check(devices, storage, books)
        for device in devices { await device.stop() }
        for complaint in try await storage.complaints() { complain(complaint) }
        await storage.close()
    }

    // MARK: People

    private func act(
        on device: Device, _ step: Int, _ books: Books, _ programs: OpenPrograms
    ) async {
        do {
            if executor.random(4) == 0 { try await device.browse() }
            let nodes = try device.nodes()
            let folders = try device.listedFolders()
            if folders.isEmpty { return }
            let parent = folders[executor.random(folders.count)]
            // The last two stay here, by the provider's wish and by a rule that is built in.
            let names = ["a", "b", "c", "d.txt", "e e", "ü", "a", "b", "n.local", "m~"]
            let name = names[executor.random(names.count)]
            let some = nodes.isEmpty ? nil : nodes[executor.random(nodes.count)]
            switch executor.random(24) {
            case 0..<4:
                let text = "text \(step) of \(device.name)"
                trace("\(device.name) creates \(name) in \(parent.rawValue): \(text)")
                let id = try await device.create(name, in: parent, text)
                books.wrote(text, over: nil)
                try await consider(id, text, device)
            case 4..<8:
                guard let some, some.node.kind == .file else { return }
                let text = "text \(step) of \(device.name)"
                let before = try? await device.text(of: some.node.id)
                guard let before else { return }
                trace("\(device.name) writes \(some.path): \(text) over \(before)")
                try await device.write(text, to: some.node.id)
                programs.wrote(text, to: some.node.id, on: device)
                books.wrote(text, over: before)
                try await consider(some.node.id, text, device)
            case 8..<10:
                trace("\(device.name) makes folder \(name) in \(parent.rawValue)")
                try await device.makeFolder(name, in: parent)
            case 10..<13:
                guard let some else { return }
                let victim = try device.replica.read { try $0.child(name, of: parent) }
                if let victim, victim.id != some.node.id { return }
                trace("\(device.name) moves \(some.path) to \(name) in \(parent.rawValue)")
                try await device.move(some.node.id, to: parent, as: name)
            case 13..<15:
                guard let some else { return }
                let text =
                    some.node.kind == .file ? try? await device.text(of: some.node.id) : nil
                if some.node.kind == .file, text == nil { return }
                trace("\(device.name) removes \(some.path): \(text ?? "folder")")
                try await device.remove(some.node.id)
                if let text { books.removed(text) }
            case 15:
                guard let some else { return }
                try await device.tag(some.node.id, UInt8(step % 250))
            case 16:
                trace("\(device.name) loses its network")
                device.network.isCut = true
            case 17:
                trace("\(device.name) has its network back")
                device.reconnect()
            case 18:
                guard let some else { return }
                _ = try await device.replica.write { try $0.evict(some.node.id) }
            case 19:
                programs.end(on: device)
                try await restart(device, books)
            case 20:
                try await save(
                    some, text: "text \(step) of \(device.name)", device, books, programs)
            default: try await leaveOpen(some, device, step, books, programs)
            }
        } catch let error as LocalError {
            trace("  refused: \(error)")
        } catch {
            trace("  failed: \(error)")
        }
    }

    /// Saves a file as many programs do: the new text goes into another file, which then takes the name.
    private func save(
        _ some: (path: String, node: StoredNode)?, text: String, _ device: Device,
        _ books: Books, _ programs: OpenPrograms
    ) async throws {
        guard let some, some.node.kind == .file, let place = some.node.trees.local else { return }
        let before = try await device.text(of: some.node.id)
        trace("\(device.name) saves \(some.path): \(text) over \(before)")
        let new = try await device.create(place.name + ".new", in: place.parent, text)
        books.wrote(text, over: nil)
        try await consider(new, text, device)
        programs.wrote(text, to: some.node.id, on: device)
        try await device.move(new, to: place.parent, as: place.name)
        books.removed(before)
    }

    /// Programs that open files, and go on with them some other time.
    private func leaveOpen(
        _ some: (path: String, node: StoredNode)?, _ device: Device, _ step: Int,
        _ books: Books, _ programs: OpenPrograms
    ) async throws {
        switch executor.random(4) {
        case 0:
            guard let some, some.node.kind == .file else { return }
            trace("\(device.name) begins to read \(some.path)")
            try await programs.beginReading(some.node.id, on: device)
        case 1:
            guard let text = try await programs.endReading() else { return }
            trace("somebody has read \(text)")
            if !books.isKnown(text) { complain("nobody has ever written: \(text)") }
        case 2:
            guard let some, some.node.kind == .file else { return }
            trace("\(device.name) begins to edit \(some.path)")
            try await programs.beginEditing(some.node.id, on: device)
        default:
            let text = "text \(step) of an editor"
            let pause = executor.random(3) == 0 ? executor.random(20) : 0
            guard let edited = try await programs.endEditing(with: text, pause: pause) else {
                return
            }
            trace("\(edited.device.name) has edited \(text) over \(edited.before)")
            books.wrote(text, over: nil)
            for before in edited.before { books.removed(before) }
            try await consider(edited.node, text, edited.device)
        }
    }

    /// Programs that care have what they wrote made durable.
    private func consider(_ id: NodeID, _ text: String, _ device: Device) async throws {
        if executor.random(2) == 0 {
            try await device.synchronise(id)
        } else {
            state.withLock { $0.unsafe[device.name, default: []].append(text) }
        }
    }

    private func restart(_ device: Device, _ books: Books) async throws {
        switch executor.random(5) {
        case 4:
            trace("\(device.name) offers everything once more")
            return try await device.manager.reimportItems(below: .rootContainer)
        case 0:
            trace("\(device.name) loses its database")
            try device.loseDatabase()
        case 1:
            trace("\(device.name) is restarted")
            await device.stop()
        case 2:
            trace("\(device.name) is killed")
            device.kill()
        default:
            trace("\(device.name) loses its power")
            try device.crash()
            let texts = state.withLock { $0.unsafe.removeValue(forKey: device.name) ?? [] }
            for text in texts { books.mayBeLost(text) }
        }
        try await device.start()
    }

    /// What must hold at any moment.
    private func lookAt(_ device: Device, _ step: Int) throws {
        let orphans = try device.orphans()
        guard !orphans.isEmpty, !state.withLock({ $0.hasOrphans }) else { return }
        state.withLock { $0.hasOrphans = true }
        complain("after step \(step), nobody holds \(orphans) on \(device.name)")
        trace("AFTER THIS, nobody holds \(orphans) on \(device.name)")
    }

    // MARK: Afterwards

    private func settle(_ devices: [Device]) async throws {
        for _ in 0..<2000 {
            try await executor.sleep(.seconds(2))
            for device in devices { try await decide(device) }
            if try devices.allSatisfy({ try $0.host.isAtRest() }) {
                // What one does last, others hear of.
                try await executor.sleep(.seconds(5))
                if try devices.allSatisfy({ try $0.host.isAtRest() }) { return }
            }
        }
        for device in devices {
            if try !device.host.isAtRest() { try tellAll(of: device) }
            complain("\(device.name) does not come to rest: \(device.host.unrest)")
        }
    }

    /// Everything that its replica knows, for whoever looks for the mistake.
    private func tellAll(of device: Device) throws {
        func words(_ entry: Entry?) -> String {
            guard let entry else { return "-" }
            let bounced = entry.isBounced ? " bounced" : ""
            return "\(entry.parent.rawValue)/\(entry.name) \(entry.kind) \(entry.content)\(bounced)"
        }
        for node in try device.replica.read({ try $0.all() }) where node.id.rawValue > 2 {
            let trees = node.trees
            if trees.isSettled && node.turn == nil && getenv("ALL") == nil { continue }
            let trouble = try device.replica.read { try $0.trouble(of: node.id) }
            let step = try device.host.plan(for: node.id)
            complain(
                """
                \(device.name) #\(node.id.rawValue) \(node.identifier?.rawValue ?? "?")\
                 local \(words(trees.local)) synced \(words(trees.synced))\
                 remote \(words(trees.remote)) turn \(node.turn ?? 0)\
                 waits \(node.waits?.rawValue ?? 0)\(node.isUnanswered ? " unanswered" : "")\
                 \(step.map { "\($0)" } ?? "")\
                 \(trouble.map { "\($0.domain) \($0.code) \($0.attempts)" } ?? "")
                """)
        }
    }

    /// Somebody says whether what was removed is to be gone.
    private func decide(_ device: Device) async throws {
        guard try device.replica.read({ try $0.heldRemovals() }) > 0 else { return }
        let isMeant = executor.random(2) == 0
        trace("\(device.name) \(isMeant ? "confirms" : "undoes") its removals")
        try await device.replica.write { transaction in
            try isMeant ? transaction.confirmRemovals() : transaction.undoRemovals()
        }
    }

    private func check(
        _ devices: [Device], _ storage: any Storage, _ books: Books
    ) async throws {
        let tree = try storage.tree()
        var kept: Set<String> = []
        for device in devices {
            for sql in try await device.walks() {
                complain("\(device.name) walks over all nodes: \(sql)")
            }
            try await device.browse()
            kept.formUnion(try await device.textsKeptHere())
            // Nobody refuses anything here, so that there is nothing to be rescued.
            for rescued in try device.replica.read({ try $0.rescued(limit: 10) }) {
                complain("\(rescued.path) was put aside on \(device.name): \(rescued.reason)")
            }
            var seen: [String: String] = [:]
            for (path, node) in try device.nodes() where node.exclusion == .no {
                do {
                    seen[path] = node.kind == .folder ? "/" : try await device.text(of: node.id)
                } catch {
                    complain("\(path) cannot be read on \(device.name): \(error)")
                    try tellAll(of: device)
                }
            }
            if seen != tree { try tellAll(of: device) }
            for path in Set(seen.keys).union(tree.keys).sorted() where seen[path] != tree[path] {
                complain(
                    "\(path) is \(tree[path] ?? "nothing") there, and \(seen[path] ?? "nothing") on \(device.name)"
                )
            }
        }
        let there = try storage.texts().union(kept)
        for text in books.mustBeThere.sorted() where !there.contains(text) {
            complain("lost: \(text)")
        }
    }
}
