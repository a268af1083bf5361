import BasketAPI
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Synchronization

// How it dies, and comes back.
extension ServerStorage {
    var isUp: Bool { server != nil }

    /// Switches it on, with what is on its disk.
    func start() async throws {
        let isMortal = run.habits >= .third
        let process = isMortal ? SimulatedProcess(executor) : nil
        let world = isMortal ? executor.world(of: process, files: disk) : executor.world()
        let connection = try Store.openConnection(folder.database)
        try Witness.watch(connection)
        let plain = InlineWriter(connection)
        let store = try await Store(
            path: folder.database,
            writer: isMortal ? SteppingWriter(plain, executor) as any DatabaseWriter : plain,
            world: world)
        let blobs = try folder.openBlobs(world: world, reserveBytes: 0)
        let policy = collectionPolicy
        let service = try Service(
            store: store, blobs: blobs,
            settings: ServiceSettings(
                retention: policy.retention,
                uploadGrace: isMortal ? policy.chunkGrace : .seconds(24 * 3600)),
            passwordCost: .insecure)
        let server = ServerProcess(
            process, service: service, store: store, blobs: blobs, world: world)
        state.withLock { $0.server = server }
        guard isMortal else { return }
        let housekeeping = Housekeeping(
            store: store, blobs: blobs,
            rules: { [schedule] in .init(policy: policy, schedule: schedule) },
            isBeingCopied: { false }, takeUsedDevices: { service.authenticator.takeUsed() })
        _ = world.spawn { await housekeeping.run() }
    }

    private var schedule: Housekeeping.Schedule {
        var schedule = Housekeeping.Schedule()
        // Later habits see it go through the versions while people still write them.
        schedule.light = .seconds(run.habits >= .fifth ? 15 : 300)
        schedule.collection = .seconds(20)
        schedule.thorough = 2
        return schedule
    }

    /// What takes days elsewhere takes moments.
    var collectionPolicy: CollectionPolicy {
        let retention =
            run.serverForgets
            ? RetentionPolicy(
                allVersions: .seconds(20), dailyVersions: .zero, monthlyVersions: .zero,
                deletedContents: .seconds(20), tombstones: .seconds(40))
            : RetentionPolicy()
        return CollectionPolicy(
            retention: retention, chunkGrace: .seconds(60), leftoverAge: .seconds(60),
            removalDelay: .seconds(30), leastDeadBytes: 100_000)
    }

    func suffer(_ mishap: StorageMishap) async throws {
        switch mishap {
        case .dies where run.serverDies: try die(losingPower: false)
        case .losesPower where run.serverDies: try die(losingPower: true)
        case .dies, .losesPower: break
        case .hasNoRoom: disk.fill(leaving: 0)
        case .hasRoom: disk.empty()
        case .isLimited: try await limit(leaving: 60)
        case .isUnlimited: try await limit(leaving: nil)
        case .recovers:
            disk.empty()
            while !isUp { try await executor.sleep(.seconds(1)) }
            try await limit(leaving: nil)
        }
    }

    private func die(losingPower: Bool) throws {
        guard let server else { return }
        let before = try memory()
        state.withLock { $0.server = nil }
        server.kill()
        if losingPower {
            try disk.lose {
                [0, $0 / 2, $0][executor.random(3)]
            } forgets: {
                executor.random(4) == 0
            }
        }
        let pause = Duration.milliseconds(executor.random(1500))
        _ = executor.world().spawn {
            do {
                try await self.executor.sleep(pause)
                try await self.start()
                self.compare(before, with: try self.memory())
            } catch {
                self.note(oddity: "the server does not come back: \(error)")
            }
        }
    }

    /// What everybody can see of it.
    private func memory() throws -> [String: String] {
        state.withLock { $0.texts = [:] }
        var memory: [String: String] = [:]
        for (name, tree) in try trees() {
            for (path, text) in tree { memory["\(name): \(path)"] = text }
        }
        for text in try texts() { memory["text \(text)"] = text }
        return memory
    }

    private func compare(_ before: [String: String], with after: [String: String]) {
        for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
            note(
                oddity: """
                    \(key) was \(before[key] ?? "nothing") before the server died, and is \
                    \(after[key] ?? "nothing")
                    """)
        }
    }

    private func limit(leaving bytes: Int64?) async throws {
        guard let server, run.habits >= .third else { return }
        let ann = try identity(of: "ann")
        try await server.store.write(as: ann) { transaction in
            let domain = try transaction.db.domain(Self.work, for: ann)
            var change = DomainChange()
            change.quota = bytes.map { .set(domain.used + $0) } ?? .clear
            try transaction.change(domain, change)
        }
    }
}
