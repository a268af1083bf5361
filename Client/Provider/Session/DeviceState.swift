import BasketContent
import BasketModels
import BasketSupport
import FoundationEssentials
import Synchronization

/// What this device knows of the domain's items and the server does not: what is pinned, and who is known to
/// have items open. What must outlive a crash lies in the domain's state directory.
final class DeviceState: Sendable {
    private struct Domain: Codable, Equatable {
        /// What the settings call it.
        var name: String
        /// What the server calls it for good.
        var id: String
    }

    private struct Stored: Codable {
        /// Names this replica among all that there are and were: it goes with the domain's state.
        var replica: String
        /// Which domain this is, once the server has said so.
        var domain: Domain?
        /// What the server that has the domain calls itself, once it has said so.
        var server: String?
        /// How often the domain's own state has changed.
        var version: Int64 = 0
        /// When each item was pinned or freed again, as serials.
        var pinned: [String: Int64] = [:]
        var freed: [String: Int64] = [:]
        /// No content was sent later than that, whatever the clock says by now.
        var sentUntil: Int64?
        /// What a person does not want to be asked again, in order. Nil where nobody has said so yet.
        var suppressed: [String]?
    }

    private struct State {
        var stored: Stored
        var serial: Int64
        /// What the server calls this device, as its log-in says.
        var deviceID: String?
        /// Whether the replica's name is on the disk.
        var isNamed = false
        /// What the disk has of `sentUntil`.
        var keptSentUntil: Int64
    }

    /// So many changes are remembered for those who have not heard of them.
    private static let mostRemembered = 10_000
    private static let longestFile: Int64 = 16 << 20
    /// More than any extension declares.
    private static let mostSuppressed = 256

    let locks: KnownLocks
    private let state: Mutex<State>
    private let file: StateFile?
    /// What the server calls this device.
    private let name: String
    private let now: @Sendable () -> Timestamp
    private let log: Log

    /// - Parameters:
    ///   - folder: where its files are; nil where there is nothing that lasts.
    ///   - name: what the server calls this device.
    /// - Throws: where the disk does not give what is on it: made anew, the replica would not know what it has asked for.
    init(folder: String?, name: String, world: World) throws {
        let path = folder.map { $0 + "/provider.json" }
        locks = KnownLocks(path: folder.map { $0 + "/locks.json" }, world: world)
        let fresh = Stored(replica: Hex.encode(world.randomBytes(16)))
        let known = try path.flatMap { try Self.load($0, world) }
        let stored = known ?? fresh
        // Serials go on where they were: time passed since, and each is newer than the one before.
        let last = [stored.pinned, stored.freed, locks.changes].flatMap(\.values).max()
        let sentUntil = stored.sentUntil ?? 0
        let serial = max(world.now().nanoseconds, last ?? 0, sentUntil)
        state = Mutex(
            State(
                stored: stored, serial: serial, isNamed: known != nil, keptSentUntil: sentUntil))
        file = path.map { StateFile(path: $0, files: world.files) }
        self.name = name
        now = world.now
        log = world.log
    }

    /// What is damaged is made anew, and kept beside: pins are a convenience, and a new name for the replica costs no more
    /// than a second look at what is there.
    private static func load(_ path: String, _ world: World) throws(FileError) -> Stored? {
        let bytes: [UInt8]
        do {
            guard try world.files.size(path) <= longestFile else { return setAside(path, world) }
            bytes = try world.files.contents(of: path)
        } catch  where error.isMissing {
            return nil
        }
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else {
            return setAside(path, world)
        }
        return stored
    }

    private static func setAside(_ path: String, _ world: World) -> Stored? {
        world.log.warning("what the provider knew is damaged, and kept as provider.json.damaged")
        try? world.files.rename(path, to: path + ".damaged")
        return nil
    }

    /// The replica's name, which is on the disk before anybody relies on it.
    func replica() async throws -> String {
        let (name, isNamed) = state.withLock { ($0.stored.replica, $0.isNamed) }
        guard !isNamed else { return name }
        try await save()
        state.withLock { $0.isNamed = true }
        return name
    }

    // MARK: Items

    func marks(of item: String) -> ItemMarks {
        state.withLock { state in
            ItemMarks(
                isPinned: state.stored.pinned[item] != nil, locks: locks.locks(on: item),
                device: name, deviceID: state.deviceID)
        }
    }

    /// - Parameter id: what the server calls this device; nil where its log-in does not say.
    func note(deviceID id: String?) {
        state.withLock { $0.deviceID = id }
    }

    /// Whether it is this device that has taken a lock.
    func isOwn(_ lock: LockInfo) -> Bool {
        lock.isOf(device: state.withLock { $0.deviceID }, named: name)
    }

    /// Pins items, or frees them. Those whose pins did not change are left alone.
    func pin(_ items: [String], _ isPinned: Bool) async throws {
        state.withLock { state in
            for item in items where (state.stored.pinned[item] != nil) != isPinned {
                let serial = Self.next(&state, now())
                state.stored.pinned[item] = isPinned ? serial : nil
                state.stored.freed[item] = isPinned ? nil : serial
            }
            state.stored.freed.forgetOldest(beyond: Self.mostRemembered)
        }
        try await save()
    }

    /// Remembers who has an item open, before the system is told.
    /// - Returns: whether that is news.
    @discardableResult
    func setLocks(_ locks: [LockInfo], on item: String) async -> Bool {
        let isNews = state.withLock { state in
            self.locks.set(locks, on: item) { Self.next(&state, now()) }
        }
        if isNews { await self.locks.save() }
        return isNews
    }

    var serial: Int64 { state.withLock { $0.serial } }

    /// Items whose marks changed after a serial, in the order in which they did, up to so many.
    func changed(
        since serial: Int64, limit: Int
    ) -> (items: [String], serial: Int64, more: Bool) {
        state.withLock { state in
            // Who has heard of a later one than any there is has heard it before the clock was set back: of what has changed
            // since then, nobody knows by its serial.
            let serial = serial > state.serial ? 0 : serial
            var newest = locks.changes
            for changes in [state.stored.pinned, state.stored.freed] {
                newest.merge(changes) { max($0, $1) }
            }
            let news = newest.filter { $0.value > serial }
                .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            let part = news.prefix(limit)
            let more = part.count < news.count
            return (part.map(\.key), more ? part.last?.value ?? serial : state.serial, more)
        }
    }

    // MARK: Questions

    func isSuppressed(_ question: String) -> Bool {
        state.withLock { $0.stored.suppressed?.contains(question) ?? false }
    }

    /// Known at once; `save` makes it last.
    func suppress(_ question: String, _ isSuppressed: Bool) {
        state.withLock { state in
            var known = state.stored.suppressed ?? []
            known.removeAll { $0 == question }
            if isSuppressed, known.count < Self.mostSuppressed { known.append(question) }
            state.stored.suppressed = known.sorted()
        }
    }

    // MARK: The domain

    /// What the server calls the domain for good. Its name may be another domain's by now, which has none of
    /// this one's items: they would all seem to be gone.
    func domain(named name: String) -> String? {
        state.withLock { $0.stored.domain.flatMap { $0.name == name ? $0.id : nil } }
    }

    func keepDomain(_ id: String, named name: String) async throws {
        let isNews = state.withLock { state in
            let domain = Domain(name: name, id: id)
            defer { state.stored.domain = domain }
            return state.stored.domain != domain
        }
        if isNews { try await save() }
    }

    var server: String? { state.withLock { $0.stored.server } }

    func keepServer(_ name: String) async throws {
        let isNews = state.withLock { state in
            defer { state.stored.server = name }
            return state.stored.server != name
        }
        if isNews { try await save() }
    }

    var version: Int64 { state.withLock { $0.stored.version } }

    func raiseVersion() async throws {
        state.withLock { $0.stored.version += 1 }
        try await save()
    }

    /// When a content is sent, later than any before it, whatever somebody does to the clock: the disk has a date that is
    /// not reached before it has another one.
    func sendingDate() async -> Timestamp {
        let (date, until) = state.withLock { state -> (Int64, Int64?) in
            let date = Self.next(&state, now())
            if date <= state.keptSentUntil { return (date, nil) }
            let until = date + Self.sendingReserve
            state.stored.sentUntil = max(state.stored.sentUntil ?? 0, until)
            return (date, state.stored.sentUntil)
        }
        if let until {
            do {
                try await save()
                state.withLock { $0.keptSentUntil = max($0.keptSentUntil, until) }
            } catch {
                // What is sent makes room, perhaps. Only with a clock that is set back, and after a restart, somebody may
                // have a conflict with nobody but themselves.
                log.warning("when contents were sent cannot be kept", ["error": .text("\(error)")])
            }
        }
        return Timestamp(nanoseconds: date)
    }

    /// So seldom is it written down.
    private static let sendingReserve: Int64 = 60_000_000_000

    func save() async throws {
        try await file?.save {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self.state.withLock { $0.stored }))
        }
    }

    private static func next(_ state: inout State, _ now: Timestamp) -> Int64 {
        state.serial = max(state.serial + 1, now.nanoseconds)
        return state.serial
    }
}
