import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization

/// Some devices, their people, and what may go wrong, all from one seed.
final class Scenario: Sendable {
    /// What was found, if anything is wrong.
    struct Verdict: Sendable, Equatable {
        var problems: [String] = []
        var trace: [String] = []
        var steps = 0
        /// What would have been drawn next: another number after any other play.
        var next: UInt64 = 0
        /// When it was over.
        var end = Duration.zero
    }

    let run: Run
    let executor: SimulationExecutor
    private let state = Mutex(State())

    private struct State {
        var verdict = Verdict()
        /// Another one each time, so that it is left out of what is told.
        var folder = ""
        var isOver = false
        /// Where what is watched was last.
        var watched = ""
        /// On which devices something was found that must never be.
        var odd: Set<String> = []
        /// By device, which state of its tree was looked at.
        var seen: [String: TreeState] = [:]
        /// By device and item, the newest content that was ever shown.
        var newest: [String: Int64] = [:]
    }

    private let makeStorage: @Sendable (String, SimulationExecutor) async throws -> any Storage

    /// - Parameter makeStorage: in a folder.
    init(
        _ run: Run,
        makeStorage: @escaping @Sendable (String, SimulationExecutor) async throws -> any Storage
    ) {
        self.run = run
        self.makeStorage = makeStorage
        executor = SimulationExecutor(seed: run.seed)
    }

    func play() -> Verdict {
        let folder = "/dev/shm/basket-simulation-\(UUID().uuidString)"
        state.withLock { $0.folder = folder }
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
        state.withLock { state in
            state.verdict.next = executor.random()
            state.verdict.end = executor.time
        }
        return state.withLock { $0.verdict }
    }

    func complain(_ problem: String) {
        state.withLock { $0.verdict.problems.append(problem) }
    }

    func trace(_ line: String) {
        state.withLock { state in
            // Errors name files.
            let line =
                line.hasPrefix("  ")
                ? line.replacingOccurrences(of: state.folder, with: "…") : line
            state.verdict.trace.append("\(executor.time.components.seconds)s \(line)")
        }
    }

    func tellIfNew(_ places: String) {
        let isNew = state.withLock { state in
            defer { state.watched = places }
            return state.watched != places
        }
        if isNew { trace("WATCHED: \(places)") }
    }

    private func play(in folder: String) async throws {
        try LinuxFileSystem().makeFolder(folder)
        let storage = try await makeStorage(folder, executor)
        var devices: [Device] = []
        for index in 0..<(2 + executor.random(run.habits >= .third ? 4 : 3)) {
            let device = try Device(
                "device\(index)", storage: storage, executor: executor, folder: folder,
                rule: run.caseRule, inParts: executor.random(2) == 0,
                hasLongFiles: run.hasLongFiles, lossOneIn: [0, 40, 10][executor.random(3)],
                forgetsNames: run.disksForgetNames)
            if Seeds.isChosen {
                device.network.listener = { [self] in trace("    device\(index): \($0)") }
            }
            device.network.cutsAnswers = run.habits >= .third
            if run.habits != .first { device.network.repetitionOneIn = 40 }
            try await device.start()
            devices.append(device)
        }
        let books = Books()
        let people = People(
            run, books, storage, executor: executor, trace: { self.trace($0) },
            complain: { self.complain($0) })
        for step in 0..<run.steps {
            try await executor.sleep(.milliseconds(executor.random(200)))
            let device = devices[executor.random(devices.count)]
            await people.act(on: device, step)
            for device in devices { try lookAt(device, storage, books, step) }
            if run.habits != .first, step % run.stepsBetweenLooks == 0 {
                // What a file holds that stays on a device may have been put beside another one there.
                for text in try devices.flatMap({ try $0.textsHandedOver() }) {
                    books.noteGone(text)
                }
                // So may what was on its way there when it came to stay: nobody here hears of that once the provider tells
                // of something newer.
                for device in devices where storage.isUp {
                    let staying = try device.textsStaying()
                    if staying.isEmpty { continue }
                    let there = Set(try storage.tree(for: device.name).values)
                    for text in staying where there.contains(text) { books.noteGone(text) }
                }
            }
            if run.habits >= .third, step % run.stepsBetweenLooks == 0 {
                try await look(devices, storage, books, "after step \(step)")
            }
            try watch(devices, storage)
            state.withLock { $0.verdict.steps += 1 }
        }
        await people.goHome()
        for device in devices { device.recover() }
        try await storage.suffer(.recovers)
        try await settle(devices, storage)
        // What was answered is there whatever happens.
        if run.habits >= .third { try await storage.suffer(.losesPower) }
        for device in devices { device.network.lossOneIn = 0 }
        // Whoever lost its stream of events opens another one; what was to be fetched is tried again.
        try await executor.sleep(.seconds(run.habits == .first ? 120 : 700))
        try await settle(devices, storage)
        if run.habits != .first {
            // What is found now for the first time may be something that is to be here, or have to wait for a name.
            for _ in 0..<2 {
                for device in devices { try await device.browse(withTrash: true) }
                try await executor.sleep(.seconds(60))
            }
        }
        try await check(devices, storage, books)
        if run.habits >= .third {
            try await look(devices, storage, books, "at the end")
            for problem in try await storage.tidingsGoneWrong() { complain(problem) }
            try await stayQuiet(devices)
        }
        for device in devices { await device.stop() }
        if run.habits >= .third { try await tidyUp(devices) }
        for complaint in try await storage.complaints() { complain(complaint) }
        await storage.close()
    }

    // MARK: Always

    /// What must hold at any moment.
    private func lookAt(
        _ device: Device, _ storage: any Storage, _ books: Books, _ step: Int
    ) throws {
        let seen = device.treeState
        guard state.withLock({ $0.seen.updateValue(seen, forKey: device.name) }) != seen else {
            return
        }
        let orphans = try device.orphans()
        if !orphans.isEmpty { note("nobody holds \(orphans)", on: device, step) }
        if run.habits == .first { return }
        for (path, node) in try device.nodes() {
            guard let identifier = node.identifier else { continue }
            // What comes into a folder that stays on a device leaves the provider, also when it comes back later.
            if node.exclusion != .no {
                books.removals.note(identifier.rawValue, named: node.trees.local?.name ?? "")
            }
            guard case .version(let version) = node.trees.local?.content,
                let rank = storage.rank(of: version)
            else { continue }
            // A power cut takes an edit back to what its writer had seen, though others had written since; that
            // is told again at once.
            let boot = run.habits >= .third ? device.boot : 0
            let key = "\(device.name) \(boot) \(node.id.rawValue) \(identifier.rawValue)"
            let newest = state.withLock { $0.newest[key] ?? rank }
            if rank < newest {
                note("\(path) \(identifier.rawValue) has become older", on: device, step)
            }
            state.withLock { $0.newest[key] = max(rank, newest) }
        }
    }

    /// Once for each device: what is wrong stays wrong for a while.
    private func note(_ problem: String, on device: Device, _ step: Int) {
        guard state.withLock({ $0.odd.insert(device.name).inserted }) else { return }
        complain("after step \(step), \(problem) on \(device.name)")
        trace("AFTER THIS, \(problem) on \(device.name)")
    }

    // MARK: Afterwards

    private static let mostRounds = 200

    /// What fails is left alone for up to five minutes, and may fail once more then: all rounds together are longer
    /// than three such pauses.
    private static let round = Duration.seconds(5)

    private func settle(_ devices: [Device], _ storage: any Storage) async throws {
        for _ in 0..<Self.mostRounds {
            try await executor.sleep(Self.round)
            for device in devices { try await decide(device) }
            try watch(devices, storage)
            if try devices.allSatisfy({ try $0.host.isAtRest() }) {
                // What one does last, others hear of.
                try await executor.sleep(.seconds(5))
                if try devices.allSatisfy({ try $0.host.isAtRest() }) { return }
            }
        }
        for device in devices where try !device.host.isAtRest() {
            try tellAll(of: device)
            complain("\(device.name) does not come to rest: \(device.host.unrest)")
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
}
