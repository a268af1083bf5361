import BasketDatabase
import BasketSupport
import FileProviderReplica
import Synchronization

/// Sees to it that contents take no more room than they may.
final class Room: Sendable {
    private let replica: Replica
    private let world: World
    private let open: OpenContents
    private let state: Mutex<State>
    /// What is there is looked through for all that wait for room, and not once for each.
    private let search = Gate()

    private struct State {
        var limits: ContentLimits
        /// What is on its way here.
        var coming: Int64 = 0
        /// When it was last tried to make room, and nothing went.
        var failed: Duration?
    }

    /// So many are let go in one transaction.
    private static let batch = 200
    /// On a full disk, there is no room to note more.
    private static let smallBatch = 20
    /// So long nothing will have changed, if nothing could go.
    private static let patience = Duration.seconds(10)

    init(replica: Replica, world: World, limits: ContentLimits, open: OpenContents) {
        self.replica = replica
        self.world = world
        state = Mutex(State(limits: limits))
        self.open = open
    }

    var limits: ContentLimits {
        get { state.withLock { $0.limits } }
        set {
            state.withLock { state in
                // What could not go by the others may go by these.
                if state.limits != newValue { state.failed = nil }
                state.limits = newValue
            }
        }
    }

    /// Brings bytes here, for which there is room by then.
    ///
    /// - Parameter body: says of the arrival when the bytes count as what is here.
    /// - Throws: `LocalError.noRoom` when nothing else can go.
    func with<Result>(
        _ bytes: Int64, _ body: (Arrival) async throws -> Result
    ) async throws -> Result {
        state.withLock { $0.coming += bytes }
        let arrival = Arrival { [self] in state.withLock { $0.coming -= bytes } }
        defer { arrival.end() }
        try await make()
        // What has come may go, and what has not takes no room any more.
        defer { state.withLock { $0.failed = nil } }
        return try await body(arrival)
    }

    /// So much is let go at once where a disk is full.
    private static let leastForWriting: Int64 = 16 << 20

    /// Makes room on a full disk, as far as that can be done: what is written here goes before what can be fetched
    /// again, and before what is left to others.
    func makeForWriting(_ bytes: Int64) async throws {
        do {
            try await with(max(bytes, Self.leastForWriting)) { _ in }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Less may do; and what does not, says so itself.
            world.log.warning("no room can be made", ["error": .text("\(error)")])
        }
    }

    /// Lets go of what is there for too long, or too much.
    func keep() async throws {
        if let longest = limits.longestUnused {
            let oldest = world.now() - longest
            _ = try await letGo { content, _ in (content.opened ?? oldest) < oldest }
        }
        do {
            try await make()
        } catch LocalError.noRoom {
            // What has to stay, has to stay.
        }
    }

    private func make() async throws {
        // Others may want some of what has gone, and come meanwhile.
        while try shortage() != nil {
            try requireHope()
            try await search.alone {
                guard let wanted = try shortage() else { return }
                try requireHope()
                // While nothing was found to go, something may have gone by itself.
                guard try await letGo({ _, gone in gone < wanted }) == 0, try shortage() != nil
                else { return }
                state.withLock { $0.failed = world.uptime() }
                throw LocalError.noRoom
            }
        }
    }

    private func requireHope() throws {
        if let failed = state.withLock({ $0.failed }), world.uptime() - failed < Self.patience {
            throw LocalError.noRoom
        }
    }

    /// Whether so much can come here without anything having to go for it, now or soon.
    func hasPlenty(for bytes: Int64) throws -> Bool {
        let limits = limits
        let coming = state.withLock { $0.coming } + bytes
        if let most = limits.most {
            let here = try bytesHere()
            guard Double(here + coming) <= Double(most) * limits.lowMark else { return false }
        }
        let (free, reserve) = try disk()
        return free - coming >= reserve * 2
    }

    /// Also what no node holds any more, and somebody has open.
    private func bytesHere() throws -> Int64 {
        try replica.read { try $0.bytesHere() } + open.bytesBesides
    }

    /// What is free, and how much of that is left to others.
    private func disk() throws -> (free: Int64, reserve: Int64) {
        let folder = replica.contents.folder
        let reserve = try min(limits.leastFree, world.files.totalBytes(at: folder) / 20)
        return (try world.files.availableBytes(at: folder), reserve)
    }

    /// How many bytes are to go where there are too many; nil where there are not.
    private func shortage() throws -> Int64? {
        let limits = limits
        let here = try limits.most == nil ? 0 : bytesHere()
        let (free, reserve) = try disk()
        // What arrives between two looks is counted by neither, and not by both: nobody is refused for that.
        let coming = state.withLock { $0.coming }
        let most = limits.most ?? .max
        let isTooMuch = here + coming > most
        let tooMany = isTooMuch ? here + coming - Int64(Double(most) * limits.lowMark) : 0
        let shortage = max(tooMany, reserve + coming - free)
        return shortage > 0 ? shortage : nil
    }

    /// Lets go of contents, the longest unused first, for as long as somebody says so of one, and of how much has
    /// gone before it.
    /// - Returns: how much has gone.
    private func letGo(_ isNeeded: (ContentHere, Int64) -> Bool) async throws -> Int64 {
        do {
            // What was used since it was last noted goes later.
            try await noteUse()
        } catch let error as SQLiteError where error.isFull {
            // Then it may go too early.
        }
        var most = Self.batch
        var last: ContentHere?
        var gone: Int64 = 0
        while true {
            let contents = try replica.read { [last] in
                try $0.contentsHere(after: last, limit: most, thatMayGo: true)
            }
            // So many as are needed if each of them can go. Those that cannot are passed over.
            var chosen: [ContentHere] = []
            var chosenBytes = gone
            for content in contents {
                guard isNeeded(content, chosenBytes) else { break }
                chosen.append(content)
                chosenBytes += content.bytes
            }
            guard let newest = chosen.last else { break }
            do {
                gone += try await evict(chosen)
            } catch let error as SQLiteError where error.isFull && most > Self.smallBatch {
                most = Self.smallBatch
                continue
            }
            last = newest
            // On a full disk, only so the next ones find room to be noted.
            if most == Self.smallBatch { try await replica.removeDiscarded() }
        }
        if gone > 0 { try await replica.removeDiscarded() }
        return gone
    }

    /// - Returns: how much has gone.
    private func evict(_ contents: [ContentHere]) async throws -> Int64 {
        let open = open
        let evict = { @Sendable (transaction: ReplicaTransaction) in
            var gone: Int64 = 0
            for content in contents where !open.isOpen(content.node) {
                if try transaction.evict(content.node) == nil { gone += content.bytes }
            }
            return gone
        }
        return contents.count > Self.smallBatch
            ? try await replica.write(evict) : try await replica.makeRoom(evict)
    }

    /// Has the replica know when files were last used.
    func noteUse() async throws {
        let uses = open.takeUses()
        if uses.isEmpty { return }
        do {
            try await replica.write { try $0.noteUse(uses) }
        } catch {
            open.giveBack(uses)
            throw error
        }
    }
}
