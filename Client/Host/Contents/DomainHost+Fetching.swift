import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// Bytes that come here.
extension DomainHost {
    /// Has all of a file's bytes here, as they are at the provider, or as they were written here, for somebody who
    /// waits for them.
    package func materialise(_ id: NodeID, by program: Program? = nil) async throws {
        if settings.isInteractive { return try await waitForTest(id, by: program) }
        try await calls.whenSettled {
            try await waitForName(of: id)
            let identifier = try replica.read { try $0.node(id)?.identifier }
            try await calls.running.awaiting(identifier) {
                try await bring(id, by: program, in: .reading)
            }
        }
    }

    /// The same for nobody. It has its place in a line already.
    func materialiseUnawaited(_ id: NodeID) async throws {
        if settings.isInteractive { return try await waitForTest(id, by: nil) }
        try await calls.whenSettled { try await bring(id, by: nil, in: nil) }
    }

    private func bring(_ id: NodeID, by program: Program?, in line: CallCategory?) async throws {
        try await once(id) { node in
            guard node.kind == .file else { throw LocalError.isAFolder }
            return node.residence == .whole
        } work: {
            try await self.fetch(id, by: program, in: line)
        }
    }

    /// Has some of a file's bytes here, for somebody who waits for them. They may be all: not every extension
    /// gives parts.
    /// - Parameter ahead: what may come with them.
    package func materialise(
        _ range: Range<Int64>, ahead: Range<Int64>? = nil, of id: NodeID, by program: Program? = nil
    ) async throws {
        if settings.isInteractive { return try await waitForTest(id, range, by: program) }
        let size = try replica.read { try $0.node(id)?.size ?? 0 }
        let range = range.clamped(to: 0..<size)
        // What is short comes whole, also where it was longer when somebody began to read it.
        guard calls.givesParts, size > settings.shortLength, range != 0..<size else {
            return try await materialise(id, by: program)
        }
        try await calls.whenSettled {
            try await waitForName(of: id)
            try await parts.fetch(range, ahead: ahead, of: id, by: program)
        }
    }

    /// Returns when the provider's names for items are known, as far as that is a matter of time.
    package func waitForNames(of ids: [NodeID]) async throws {
        try await calls.waitUntilSettled()
        for id in ids { try await waitForName(of: id) }
    }

    /// What is being offered to the provider once more has a name there soon, if nothing is wrong.
    private func waitForName(of id: NodeID) async throws {
        let start = world.uptime()
        var hurried: [NodeID]?
        defer {
            if let hurried { state.withLock { $0.hurried.subtract(hurried) } }
        }
        while true {
            let count = replica.changes.count
            let isComing = try replica.read { reader in
                try reader.node(id)?.identifier == nil && reader.isOffered(id)
                    && reader.trouble(of: id) == nil
            }
            let left = Self.namingPatience - (world.uptime() - start)
            guard isComing, left > .zero, try calls.isConnected() else { return }
            if hurried == nil {
                hurried = try await hurry(id)
                continue
            }
            try await waitForChange(since: count, atMost: left)
        }
    }

    private func hurry(_ id: NodeID) async throws -> [NodeID] {
        let hurried = try await replica.write { try $0.hurry(id) }
        state.withLock { $0.hurried.formUnion(hurried) }
        for id in hurried { slots.hurry(id) }
        hurry()
        return hurried
    }

    private static let namingPatience = Duration.seconds(30)

    /// All of a file's bytes are to be here soon, where nothing else has to go for that.
    func want(_ id: NodeID) async {
        do {
            guard let node = try replica.read({ try $0.node(id) }), !node.isWanted,
                node.kind == .file, node.residence != .whole,
                try room.hasPlenty(for: node.size - node.here)
            else { return }
            // The next commit takes it along: nothing is lost with it but a wish.
            try await replica.writeSoon { transaction in
                _ = try transaction.update(id) { node in
                    if !node.isWanted { node.isWanted = node.residence != .whole }
                }
            }
        } catch {
            // It is fetched in parts, then.
            world.log.warning("a file cannot be wanted", ["error": .text("\(error)")])
        }
    }

    /// Has everything here that lies in a folder, by name.
    package func list(_ id: NodeID) async throws {
        if settings.isInteractive { return try await waitForTest(id, by: nil) }
        try await calls.whenSettled {
            try await once(id) { node in
                guard node.kind == .folder else { throw LocalError.notAFolder }
                return node.isListed
            } work: {
                try await self.workingSet.list(id)
            }
        }
    }

    private func bringHere(_ id: NodeID) async throws {
        guard let node = try replica.read({ try $0.node(id) }) else { throw LocalError.notFound }
        guard node.kind == .folder else {
            let isSmall = node.size <= settings.smallContent
            // It stands in line before it is known to be on its way: whoever waits for it needs not wait for that.
            return try await slots.take(isSmall ? .smallDownload : .download) {
                try await materialiseUnawaited(id)
            }
        }
        try await list(id)
        try await replica.write { try $0.wantChildren(of: id) }
    }

    /// Works on a node until that is done: alone, however many ask for it.
    func once(
        _ id: NodeID, isDone: (StoredNode) throws -> Bool, work: () async throws -> Void
    ) async throws {
        while true {
            let count = replica.changes.count
            guard let node = try replica.read({ try $0.node(id) }), node.trees.local != nil else {
                throw LocalError.notFound
            }
            if try isDone(node) { return }
            let isFirst = state.withLock { $0.fetching.insert(id).inserted }
            guard isFirst else {
                await replica.changes.wait(since: count)
                try Task.checkCancellation()
                continue
            }
            defer {
                state.withLock { _ = $0.fetching.remove(id) }
                replica.changes.poke()
            }
            do {
                try await work()
            } catch HostError.overtaken {
                // Who waits for it may have begun by now; else it is asked for as what somebody waits for.
            }
        }
    }

    func fetch(_ id: NodeID, by program: Program?, in line: CallCategory?) async throws {
        guard let node = try replica.read({ try $0.node(id) }),
            let asked = node.trees.local?.content, node.residence != .whole
        else { return }
        // The provider has not said yet which of its items it is.
        guard let identifier = node.identifier else {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        if calls.givesParts, node.basis == nil, node.size > settings.partLength {
            return try await parts.fetchAll(of: id, by: program, in: line)
        }
        try await slots.take(line) {
            try await room.with(node.size) { arrival in
                try await fetchWhole(
                    node, identifier, asked, by: program, isAwaited: line != nil, arrival)
            }
        }
    }

    private func fetchWhole(
        _ node: StoredNode, _ identifier: NSFileProviderItemIdentifier, _ asked: EntryContent,
        by program: Program?, isAwaited: Bool, _ arrival: Arrival
    ) async throws {
        let url: URL
        let item: RemoteItem
        do {
            (url, item) = try await download(node, identifier, isAwaited: isAwaited)
        } catch  where Reaction(error).isMissing {
            if try await workingSet.isMissing(identifier) {
                try await replica.write { try $0.forget(identifier) }
            }
            throw error
        }
        // Once it has been taken over, there is nothing there any more.
        defer { try? world.files.remove(url.path) }
        let number = try await replica.nextFile()
        try replica.contents.adopt(url.path, as: number)
        defer { replica.discardUnlessNamed(number) }
        let size = try replica.contents.open(number).size()
        // What a crash takes back of it is fetched once more.
        _ = try await replica.writeSoon { transaction in
            if item.content != asked { self.workingSet.tidings.note(fetched: identifier) }
            arrival.end()
            return try transaction.take(
                item, file: number, size: size, for: node.id, asked: asked, by: program?.name)
        }
    }

    /// Where an earlier version is at hand, it is offered for what has stayed the same.
    private func download(
        _ node: StoredNode, _ identifier: NSFileProviderItemIdentifier, isAwaited: Bool
    ) async throws -> (file: URL, item: RemoteItem) {
        let request = try replica.request(
            isSystemRequest: !isAwaited && !calls.running.isAwaited(identifier),
            contentLength: node.size)
        guard let basis = node.basis else { return try await calls.fetch(identifier, request) }
        let hold = replica.contents.hold(basis.file)
        defer { withExtendedLifetime(hold) {} }
        // It may have gone before it was held.
        guard replica.contents.exists(basis.file) else {
            return try await calls.fetch(identifier, request)
        }
        return try await calls.fetch(
            identifier, using: URL(fileURLWithPath: replica.contents.path(basis.file)),
            NSFileProviderItemVersion(
                contentVersion: basis.version, metadataVersion: node.syncedMetadata ?? Data()),
            request)
    }

    /// What is to be here as soon as there is time. What cannot be had keeps nothing else waiting.
    func fetchWanted() async {
        await withDiscardingTaskGroup { group in
            var failures = 0
            while !Task.isCancelled {
                let count = replica.changes.count
                let begun: [NodeID]
                do {
                    begun = try beginWanted()
                    failures = 0
                } catch {
                    world.log.error(
                        "what is wanted cannot be looked for", ["error": .text("\(error)")])
                    failures += 1
                    try? await world.sleep(
                        Self.retryPause.after(failures: failures, jitter: jitter()))
                    continue
                }
                for id in begun {
                    group.addTask {
                        await self.tryToFetch(id)
                        self.state.withLock { _ = $0.wanting.remove(id) }
                        self.replica.changes.poke()
                    }
                }
                if !begun.isEmpty { continue }
                if !outage.isStanding, state.withLock({ $0.fetchFailures.isEmpty }) {
                    await change(since: count)
                } else {
                    try? await waitForChange(since: count, atMost: Self.firstPause)
                }
            }
        }
    }

    struct FetchFailure {
        /// Which error it was, and how often.
        var trouble: Trouble
        /// When it is tried again, whatever becomes of the clock.
        var next: Duration
        /// How much of it had come by then.
        var byteCount: Int64
    }

    /// Those that are looked after from now on.
    private func beginWanted() throws -> [NodeID] {
        guard try calls.isConnected() else { return [] }
        let known = state.withLock { $0.fetchFailures.count }
        let wanted = try replica.read { try $0.wanted(limit: Self.wantedAtOnce + known) }
        let now = world.uptime()
        let still = Set(wanted)
        let (due, room) = state.withLock { state in
            state.fetchFailures = state.fetchFailures.filter { still.contains($0.key) }
            let due = wanted.filter {
                (state.fetchFailures[$0]?.next ?? .zero) <= now && !state.wanting.contains($0)
            }
            return (due, max(0, Self.wantedAtOnce - state.wanting.count))
        }
        guard !due.isEmpty, room > 0 else { return [] }
        // Where nobody can be reached, one of them finds out whether that is over.
        let isProbe = outage.isStanding && !settings.isInteractive
        if isProbe, outage.standing(at: now, pause: probePause) != nil { return [] }
        let begun = Array(due.prefix(isProbe ? 1 : room))
        state.withLock { $0.wanting.formUnion(begun) }
        return begun
    }

    private func tryToFetch(_ id: NodeID) async {
        do {
            let isWanted = try await isStillWanted(id)
            if isWanted { try await bringHere(id) }
            state.withLock { _ = $0.fetchFailures.removeValue(forKey: id) }
            if isWanted { try? await noteAnswer(to: id) }
        } catch {
            note(error, ofFetching: id)
            try? await hear(error, of: id)
        }
    }

    private func isStillWanted(_ id: NodeID) async throws -> Bool {
        guard try replica.read({ try $0.node(id)?.want == .kept }) else { return true }
        return try await replica.write { try $0.isStillWanted(id) }
    }

    /// Nobody waits for it, whom the error could be told: who asks finds it.
    private func note(_ error: any Error, ofFetching id: NodeID) {
        let (now, uptime, jitter) = (world.now(), world.uptime(), jitter())
        let byteCount = (try? replica.read { try $0.ranges(of: id).count }) ?? 0
        let isFirst = state.withLock { state in
            let known = state.fetchFailures[id]
            let before = known?.trouble
            // On a line that breaks again and again, what comes on is not what fails.
            let isComing = known.map { $0.byteCount < byteCount } ?? false
            let attempts = isComing ? 1 : (before?.attempts ?? 0) + 1
            let pause = Self.retryPause.after(failures: attempts, jitter: jitter)
            let trouble = Trouble(
                error, since: before?.since ?? now, attempts: attempts, retry: now + pause)
            state.fetchFailures[id] = FetchFailure(
                trouble: trouble, next: uptime + pause, byteCount: byteCount)
            return before == nil
        }
        // What stands in the way of all of them is said elsewhere, and once.
        guard isFirst, Reaction(error).isOfOneAlone(error) else { return }
        world.log.warning(
            "a file that is to be kept here cannot be downloaded",
            ["node": .number(id.rawValue), "error": .text("\(error)")])
    }

    /// Those that are to be kept here and cannot be brought, the longest first.
    func undownloaded(limit: Int) -> [(id: NodeID, trouble: Trouble)] {
        let all = state.withLock {
            $0.fetchFailures.map { (id: $0.key, trouble: $0.value.trouble) }
        }
        return Array(
            all.sorted { ($0.trouble.since, $0.id) < ($1.trouble.since, $1.id) }.prefix(limit))
    }

    /// So many wait for a place in memory.
    private static let wantedAtOnce = 256
}
