import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization

/// A device with a replica and a host, and the person who works on it.
final class Device: Sendable {
    let name: String
    let network: Network
    private let storage: any Storage
    private let executor: SimulationExecutor
    let folder: String
    private let rule: CaseRule
    /// Nothing happens between two transactions.
    private let isHasty: Bool
    /// Each transaction is undone once, and done again.
    private let repeatsWrites: Bool
    /// Contents come in parts or as a whole.
    let settings: HostSettings
    private let declaration: ExtensionDeclaration?
    let disk = SimulatedDisk()
    private let state = Mutex<Running?>(nil)
    private let boots = Mutex(0)
    /// How far its clock is from the right time.
    private let clock = Mutex(Duration.zero)
    let lastTree = Mutex<(state: TreeState, nodes: [PlacedNode])?>(nil)
    private let startCount = Mutex(0)
    /// After so many commits it dies; nil while it is not to.
    let commitsLeft = Mutex<Int?>(nil)

    /// What is there while it is on.
    private struct Running {
        let replica: Replica
        let host: DomainHost
        let system: DomainSystem
        let provider: any NSFileProviderReplicatedExtension & Sendable
        let task: Task<Void, Never>
        let process: SimulatedProcess

        init(
            _ process: SimulatedProcess, _ replica: Replica, _ host: DomainHost,
            _ system: DomainSystem,
            _ provider: any NSFileProviderReplicatedExtension & Sendable, _ task: Task<Void, Never>
        ) {
            self.process = process
            self.replica = replica
            self.host = host
            self.system = system
            self.provider = provider
            self.task = task
        }
    }

    init(
        _ name: String, storage: any Storage, executor: SimulationExecutor, folder: String,
        rule: CaseRule = .posix, inParts: Bool, hasLongFiles: Bool = false, lossOneIn: Int,
        repeatsWrites: Bool = false, forgetsNames: Bool = false,
        settings: HostSettings = HostSettings(),
        declaration: ExtensionDeclaration? = nil
    ) throws {
        self.declaration = declaration
        self.name = name
        self.storage = storage
        self.executor = executor
        self.folder = folder + "/" + name
        self.rule = rule
        isHasty = lossOneIn == 0
        self.repeatsWrites = repeatsWrites
        var settings = settings
        if inParts, hasLongFiles {
            settings.partLength = 64 << 10
            settings.partAlignment = 4 << 10
            settings.shortLength = 48 << 10
            settings.intentLength = 96 << 10
        } else if inParts {
            settings.partLength = 8
            settings.partAlignment = 4
            settings.shortLength = 6
            settings.intentLength = 12
        }
        self.settings = settings
        try LinuxFileSystem().makeFolder(self.folder)
        if forgetsNames { try disk.forgetNames(keeping: self.folder + "-graves") }
        network = Network(executor, folder: self.folder, lossOneIn: lossOneIn)
    }

    /// How often its power was cut.
    var boot: Int { boots.withLock { $0 } }

    /// How often it was switched on.
    var starts: Int { startCount.withLock { $0 } }

    var replica: Replica {
        guard let replica = state.withLock({ $0?.replica }) else { fatalError("it is off") }
        return replica
    }

    var host: DomainHost {
        guard let host = state.withLock({ $0?.host }) else { fatalError("it is off") }
        return host
    }

    var system: DomainSystem {
        guard let system = state.withLock({ $0?.system }) else { fatalError("it is off") }
        return system
    }

    /// Somebody sets its clock.
    func setClock(ahead: Duration) {
        clock.withLock { $0 = ahead }
    }

    /// What it runs now.
    var provider: (any NSFileProviderReplicatedExtension & Sendable)? {
        state.withLock { $0?.provider }
    }

    /// What was missed is asked for.
    func reconnect() {
        network.isCut = false
        state.withLock { $0?.host }?.signal()
    }

    /// Nothing is wrong with it any more.
    func recover() {
        disk.isFull = false
        reconnect()
    }

    /// Switches it on, with what is on its disk.
    func start() async throws {
        startCount.withLock { $0 += 1 }
        let process = SimulatedProcess(executor)
        var world = executor.world(of: process, files: disk)
        let now = world.now
        world.now = { now() + self.clock.withLock { $0 } }
        let boot = "\(boots.withLock { $0 })"
        let replica = try await Replica(
            folder: folder, rule: rule, boot: boot, world: world
        ) { [executor, isHasty, repeatsWrites] path in
            let writer = InlineWriter(try Replica.openConnection(path))
            if repeatsWrites { return RepeatingWriter(writer) }
            let mortal = MortalWriter(writer) { self.noteCommit(of: process) }
            return isHasty ? mortal : SteppingWriter(mortal, executor) as any DatabaseWriter
        }
        // It was set up long ago, when there was room for that.
        if starts == 1 { try disk.synchronizeFolder(folder + "/contents") }
        let system = try DomainSystem(folder: folder, world: world)
        let domain = NSFileProviderDomain(
            record: DomainRecord(identifier: .init("Work"), displayName: "Work"), system: system)
        let provider = try await storage.makeExtension(
            for: name, domain: domain, network: network, world: world)
        let host = DomainHost(
            replica: replica, provider: provider, world: world, settings: settings,
            declaration: declaration)
        system.serve(host)
        let task = world.spawn { await host.run() }
        state.withLock { $0 = Running(process, replica, host, system, provider, task) }
    }

    /// Ends it in the middle of whatever it does, but lets it tidy up.
    func stop() async {
        let running = state.withLock { $0.take() }
        running?.task.cancel()
        running?.provider.invalidate()
        await running?.task.value
        running?.replica.close()
    }

    /// Whether its process does nothing any more.
    var isDead: Bool { state.withLock { $0?.process.isDead ?? true } }

    /// Kills it between two steps. What it had asked for goes on at the storage, or never gets there.
    func kill() {
        let running = state.withLock { $0.take() }
        commitsLeft.withLock { $0 = nil }
        running?.process.kill()
        network.hangUp()
        running?.replica.close()
    }

    /// Cuts its power.
    /// - Parameter length: so much is left of each file that was not durable, and no name that was not; nil: as it
    ///   comes.
    func crash(leaving length: Int? = nil) throws {
        kill()
        try disk.lose { size in
            length ?? [0, size / 2, size][executor.random(3)]
        } forgets: {
            length != nil || executor.random(4) == 0
        }
        boots.withLock { $0 += 1 }
    }

    /// Leaves no more room on its disk than so many bytes.
    func fillDisk(leaving bytes: Int64) {
        disk.fill(leaving: bytes)
    }

    /// Somebody deletes its database, and leaves the contents.
    /// - Parameter isAll: whether the journal of what is unsent goes, too.
    func loseDatabase(isAll: Bool = false) throws {
        kill()
        for name in ["replica.db"] + (isAll ? ["contents/unsent.db"] : []) {
            for ending in ["", "-wal", "-shm"] {
                let path = folder + "/" + name + ending
                if disk.exists(path) { try disk.remove(path) }
            }
        }
        // It is gone for good: databases are none of what a power cut takes here.
        for folder in [folder, folder + "/contents"] { try disk.synchronizeFolder(folder) }
    }

    func wait(seconds: Int) async throws {
        try await executor.sleep(.seconds(seconds))
    }

    func wait(milliseconds: Int) async throws {
        try await executor.sleep(.milliseconds(milliseconds))
    }

    // MARK: What its person sees

    /// Looks into every folder, as far as the network lets it.
    /// - Returns: folders that were shown, though nobody knows what is in them.
    @discardableResult
    func browse(withTrash: Bool) async throws -> [NodeID] {
        var open = withTrash ? [NodeID.root, .trash] : [.root]
        var unknown: [NodeID] = []
        while let folder = open.popLast() {
            do {
                try await host.list(folder)
            } catch {
                continue
            }
            let (node, children) = try replica.read { reader in
                (try reader.node(folder), try reader.children(of: folder, limit: 10_000))
            }
            if let node, node.trees.local != nil, !node.isListed { unknown.append(folder) }
            open += children.filter { $0.kind == .folder }.map(\.id)
        }
        return unknown
    }

    func residence(of id: NodeID) throws -> StoredNode.Residence? {
        try replica.read { try $0.node(id)?.residence }
    }

    /// What stays on this device.
    func textsKeptHere() async throws -> [String] {
        var texts: [String] = []
        for (_, node) in try nodes() where node.kind == .file && node.exclusion != .no {
            texts.append(try await text(of: node.id))
        }
        for rescued in try replica.read({ try $0.rescued(limit: 1000) }) {
            let bytes = try replica.contents.open(rescued.file)
                .read(at: 0, count: Int(rescued.size))
            texts.append(Passage.text(of: bytes))
        }
        return texts
    }

    /// Has everything durable that was written to a file.
    func synchronise(_ id: NodeID) async throws {
        try await replica.synchronise(id)
    }

    /// What is to be seen of a node.
    func words(of node: StoredNode) async throws -> String {
        switch node.trees.local?.content {
        case .target(let target): "→ " + target
        case _ where node.kind == .folder: "/"
        default: try await text(of: node.id)
        }
    }

    /// Whoever reads while another content comes has read the one that was there before: it is read again.
    func text(of id: NodeID) async throws -> String {
        for _ in 0..<4 {
            do {
                let content = try content(of: id)
                let text = try await textNow(of: id)
                if try self.content(of: id) == content { return text }
            } catch LocalError.stale {
                // There is another one by now.
                continue
            }
        }
        return try await textNow(of: id)
    }

    private func content(of id: NodeID) throws -> EntryContent? {
        try replica.read { try $0.node(id)?.trees.local?.content }
    }

    private func textNow(of id: NodeID) async throws -> String {
        let file = try await host.open(id, for: .reading, by: Self.editor)
        do {
            let bytes = try await file.read(at: 0, count: Int(file.size))
            try await file.close()
            return Passage.text(of: bytes)
        } catch {
            try await file.close()
            throw error
        }
    }

    private static let editor = Program(name: "editor")

    // MARK: What its person does

    @discardableResult
    func makeFolder(_ name: String, in parent: NodeID) async throws -> NodeID {
        try await host.make(name, in: parent, kind: .folder)
    }

    func makeLink(_ name: String, in parent: NodeID, to target: String) async throws {
        _ = try await host.make(name, in: parent, kind: .symlink, target: target)
    }

    func create(_ name: String, in parent: NodeID, _ text: String) async throws -> NodeID {
        let file = try await host.create(name, in: parent, by: Self.editor)
        try await fill(file, text)
        return file.node
    }

    func open(
        _ id: NodeID, for access: FileAccess, by program: String = "editor"
    ) async throws -> OpenFile {
        try await host.open(id, for: access, by: Program(name: program))
    }

    func write(_ text: String, to id: NodeID) async throws {
        try await fill(try await open(id, for: .replacing), text)
    }

    private func fill(_ file: OpenFile, _ text: String) async throws {
        do {
            try await file.write(Passage.bytes(of: text), at: 0)
        } catch {
            try? await file.close()
            throw error
        }
        try await file.close()
    }

    @discardableResult
    func move(_ id: NodeID, to parent: NodeID, as name: String) async throws -> NodeID {
        try await host.move(id, to: parent, as: name, replaces: true)
    }

    func remove(_ id: NodeID) async throws {
        try await host.remove(id)
    }

    func tag(_ id: NodeID, _ tag: UInt8) async throws {
        try await replica.write { transaction in
            try transaction.setAttributes(of: id) { $0.tags = Data([tag]) }
        }
    }
}
