import BasketModels
import BasketSupport
import FoundationEssentials
import Synchronization

/// Who is known to have items open. What the system was told of that stands on its items until it is told otherwise, so
/// it is known after a restart as well; in a file of its own, as nothing depends on it but a badge.
final class KnownLocks: Sendable {
    private struct Stored: Codable {
        var locks: [String: [LockInfo]] = [:]
        /// When each item's locks changed, as serials.
        var changed: [String: Int64] = [:]
        /// Items that this device has locked because somebody looks at them, and not by hand.
        var shown: [String] = []
    }

    /// So many changes are remembered for those who have not heard of them.
    private static let mostChanges = 10_000
    /// What is written down.
    private static let mostItems = 500
    private static let mostLocks = 4
    private static let longestFile: Int64 = 4 << 20

    private let stored: Mutex<Stored>
    /// How often each document is being looked at.
    private let looks = Mutex<[String: Int]>([:])
    private let file: StateFile?

    /// - Parameter path: the file; nil where there is nothing that lasts.
    init(path: String?, world: World) {
        stored = Mutex(path.flatMap { Self.load($0, world) } ?? Stored())
        file = path.map { StateFile(path: $0, files: world.files) }
    }

    /// What cannot be read is forgotten: a badge may be wrong until something else changes.
    private static func load(_ path: String, _ world: World) -> Stored? {
        guard let size = try? world.files.size(path), size <= longestFile,
            let bytes = try? world.files.contents(of: path)
        else { return nil }
        return try? JSONDecoder().decode(Stored.self, from: Data(bytes))
    }

    func locks(on item: String) -> [LockInfo] { stored.withLock { $0.locks[item] ?? [] } }

    /// Items that are known to be open somewhere.
    var items: [String] { stored.withLock { $0.locks.keys.sorted() } }

    var changes: [String: Int64] { stored.withLock { $0.changed } }

    /// - Parameter serial: what the change is called.
    /// - Returns: whether that is news.
    func set(_ locks: [LockInfo], on item: String, as serial: () -> Int64) -> Bool {
        stored.withLock { stored in
            guard locks != stored.locks[item] ?? [] else { return false }
            stored.locks[item] = locks.isEmpty ? nil : locks
            stored.changed[item] = serial()
            stored.changed.forgetOldest(beyond: Self.mostChanges)
            return true
        }
    }

    func isShown(_ item: String) -> Bool { stored.withLock { $0.shown.contains(item) } }

    func setShown(_ isShown: Bool, _ item: String) {
        stored.withLock { stored in
            stored.shown.removeAll { $0 == item }
            if isShown { stored.shown.append(item) }
        }
    }

    /// Somebody looks at a document.
    func look(at item: String) { looks.withLock { $0[item, default: 0] += 1 } }

    /// - Returns: whether nobody looks at it any more.
    func lookAway(from item: String) -> Bool {
        looks.withLock { looks in
            let left = (looks[item] ?? 1) - 1
            looks[item] = left > 0 ? left : nil
            return left <= 0
        }
    }

    func isLookedAt(_ item: String) -> Bool { looks.withLock { $0[item] != nil } }

    /// Has it last, as far as there is room: it is not worth an error.
    func save() async {
        try? await file?.save {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self.stored.withLock { Self.kept($0) }))
        }
    }

    private static func kept(_ stored: Stored) -> Stored {
        var kept = Stored(shown: stored.shown.suffix(mostItems))
        for item in stored.locks.keys.sorted().prefix(mostItems) {
            kept.locks[item] = stored.locks[item].map { Array($0.prefix(mostLocks)) }
        }
        kept.changed = stored.changed
        kept.changed.forgetOldest(beyond: mostItems)
        return kept
    }
}
