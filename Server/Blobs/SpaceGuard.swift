import BasketSupport
import Synchronization

/// Refuses writes before the disk is full: a full disk stops the database too, and with it the
/// deletions that would make room.
final class SpaceGuard: Sendable {
    /// Asking the disk takes a system call, so it is asked at most this often…
    private static let longestTrust = Duration.milliseconds(200)
    /// …or after this much was written: in between, what is written is subtracted.
    private static let mostWritten: Int64 = 64 << 20

    private struct State {
        var free: Int64 = 0
        var measured: Duration?
        var written: Int64 = 0
        /// What open drafts announced and have not yet written.
        var announced: Int64 = 0
        /// The largest that was refused lately, and when for the last time.
        var refused: (bytes: Int64, moment: Duration)?
    }

    /// How long a refusal asks for room.
    private static let memory = Duration.seconds(3600)
    /// So many times the reserve.
    private static let mostWanted: Int64 = 16

    private let state = Mutex(State())
    private let reserve: Int64
    private let uptime: @Sendable () -> Duration
    private let measure: @Sendable () throws(FileError) -> Int64

    /// - Parameter measure: what is free on the disk.
    init(
        reserve: Int64, uptime: @escaping @Sendable () -> Duration,
        measure: @escaping @Sendable () throws(FileError) -> Int64
    ) {
        // Any size may be asked for; many times that must still be a number.
        self.reserve = min(max(0, reserve), .max / (2 * Self.mostWanted))
        self.uptime = uptime
        self.measure = measure
    }

    /// A hundredth of the disk, but what a database needs to tidy up at least, and not so much that
    /// it is missed on a large disk.
    static func usualReserve(totalBytes: Int64) -> Int64 {
        min(max(totalBytes / 100, 256 << 20), 5 << 30)
    }

    func available() throws(BlobError) -> Int64 {
        try refresh()
        return state.withLock { max(0, $0.free - $0.announced - reserve) }
    }

    /// How the disk stands. What is announced counts for nothing: it may never come.
    func shortage() throws(BlobError) -> DiskShortage {
        try refresh()
        let now = uptime()
        return state.withLock { state in
            let isRecent = state.refused.map { now - $0.moment < Self.memory } ?? false
            // Anybody may ask for any amount: some files that are as large as files are, and no more.
            let wanted = isRecent ? min(state.refused?.bytes ?? 0, Self.mostWanted * reserve) : 0
            return DiskShortage(
                isShort: state.free < reserve + max(reserve / 16, wanted),
                missing: max(0, reserve + reserve / 4 + wanted - state.free), free: state.free)
        }
    }

    /// Keeps room for what is coming, or says at once that there is none.
    func announce(_ bytes: Int64) throws(BlobError) {
        try refresh()
        try state.withLock { state throws(BlobError) in
            try require(bytes, of: state.free - state.announced, &state)
            state.announced += bytes
        }
    }

    /// Takes back what was announced and will not be written.
    func withdraw(_ bytes: Int64) {
        state.withLock { $0.announced -= bytes }
    }

    /// Asks before a write.
    /// - Parameters:
    ///   - announced: how many of the bytes were announced.
    ///   - size: what was written of the same thing before: all of it was wanted.
    func spend(
        _ bytes: Int64, announced: Int64, after size: Int64
    ) throws(BlobError) {
        try refresh()
        try state.withLock { state throws(BlobError) in
            // Announced bytes are looked at as well: others fill the disk too.
            try require(
                bytes, of: state.free - (state.announced - announced), after: size, &state)
            state.announced -= announced
            state.free -= bytes
            state.written += bytes
        }
    }

    /// For what is written elsewhere on the disk. What has room within there, as in the database's file,
    /// makes its log grow for a while only: half of the reserve is enough to stay for deletions.
    func take(_ bytes: Int64, hasRoomWithin: Bool) throws(BlobError) {
        try refresh()
        try state.withLock { state throws(BlobError) in
            let kept = hasRoomWithin ? reserve / 2 : reserve + state.announced
            let available = max(0, state.free - kept)
            // No refusal to be remembered: the one who asks may have another way.
            guard bytes <= available else {
                throw .insufficientStorage(available: available, needed: bytes)
            }
            state.free -= bytes
            state.written += bytes
        }
    }

    /// Whether there would be room, before anything comes.
    func ask(for bytes: Int64) throws(BlobError) {
        try refresh()
        try state.withLock { state throws(BlobError) in
            try require(bytes, of: state.free - state.announced, &state)
        }
    }

    /// Space was freed, or ran out against all expectations: what was measured says nothing any more.
    func forget() {
        state.withLock { $0.measured = nil }
    }

    private func require(
        _ bytes: Int64, of free: Int64, after size: Int64 = 0, _ state: inout State
    ) throws(BlobError) {
        let available = max(0, free - reserve)
        guard bytes <= available else {
            note(refused: size + bytes, &state)
            throw .insufficientStorage(available: available, needed: bytes)
        }
    }

    /// The largest of the last hour.
    private func note(refused bytes: Int64, _ state: inout State) {
        let now = uptime()
        let before = state.refused.flatMap { now - $0.moment < Self.memory ? $0.bytes : nil }
        if bytes >= before ?? 0 { state.refused = (bytes, now) }
    }

    private func refresh() throws(BlobError) {
        let now = uptime()
        let isDue = state.withLock { state in
            guard let measured = state.measured else { return true }
            return now - measured >= Self.longestTrust || state.written >= Self.mostWritten
        }
        guard isDue else { return }
        // Outside the lock. A write that passes meanwhile may be counted twice or not at all, until the
        // next measurement; the reserve is larger than all such writes together.
        do {
            let free = try measure()
            state.withLock { state in
                state.free = free
                state.measured = now
                state.written = 0
            }
        } catch {
            throw .file(error)
        }
    }
}
