import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Glibc
import Synchronization
import Testing

@testable import BasketStore

/// How a fixture's store writes: both must obey the same rules.
enum WriterKind: CaseIterable {
    case inline, group
}

/// A store in a folder of its own, on a clock that only a test moves: two people with three devices,
/// and the domain `Work` of the first one. Gone with the value.
final class StoreFixture: Sendable {
    let store: Store
    let clock: VirtualClock
    let folder: String
    /// Ann's laptop: owner of `Work`.
    let ann: Identity
    /// Ann's phone.
    let phone: Identity
    /// Bob's desktop: in no domain yet.
    let bob: Identity

    init(
        _ kind: WriterKind = .inline, caseRule: CaseRule = .posix, hasTrash: Bool = true,
        quota: Int64? = nil, seed: UInt64 = 1
    ) async throws {
        let clock = VirtualClock()
        let generator = Mutex(SeededGenerator(seed: seed))
        let world = World(
            now: { clock.now }, uptime: { clock.now - VirtualClock.start },
            sleep: { _ in }, randomBytes: { count in generator.withLock { $0.bytes(count) } },
            files: LinuxFileSystem(), log: .silent)
        let live = World.live(log: .silent)
        // Memory, where there is some to write to: nothing here is about surviving a crash.
        let base = live.files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
        let folder = "\(base)/basket-store-\(live.randomUInt64())"
        try live.files.makeFolder(folder)
        let path = folder + "/basket.db"
        let writer: any DatabaseWriter =
            switch kind {
            case .inline: InlineWriter(try Store.openConnection(path))
            case .group: try await GroupCommitWriter { try Store.openConnection(path) }
            }
        store = try await Store(path: path, writer: writer, world: world)
        self.clock = clock
        self.folder = folder
        ann = try await Self.join("ann", on: "laptop", in: store)
        phone = try await Self.join("ann", on: "phone", in: store)
        bob = try await Self.join("bob", on: "desktop", in: store)
        _ = try await store.write(as: ann) {
            try $0.createDomain("Work", caseRule: caseRule, hasTrash: hasTrash, quota: quota)
        }
    }

    deinit {
        store.close()
        for suffix in ["", "-wal", "-shm"] { remove(folder + "/basket.db" + suffix) }
        remove(folder)
    }

    /// An account, made where it is missing, on a new device.
    static func join(
        _ name: String, on device: String, in store: Store
    ) async throws -> Identity {
        try await store.write { transaction in
            if try transaction.db.accounts().allSatisfy({ $0.name != name }) {
                try transaction.createAccount(
                    name, displayName: nil, role: name == "ann" ? .administrator : .member,
                    quota: nil, password: try Self.password())
            }
            let account = try transaction.db.account(named: name)
            let number = try transaction.addDevice(
                device, of: account.number, token: ContentHash(of: Array("\(name) \(device)".utf8)),
                expires: nil)
            return Identity(
                account: account.number, accountName: name, role: account.role, device: number,
                deviceName: device)
        }
    }

    /// A hash that no password has: nobody logs in here.
    static func password() throws -> PasswordHash {
        let none = "scrypt$ln=4,r=1,p=1$\(String(repeating: "A", count: 22))"
        return try #require(
            PasswordHash(encoded: none + "$" + String(repeating: "A", count: 43)))
    }

    /// The domain as it is now, as Ann sees it.
    var work: Domain {
        get throws { try store.read { try $0.domain("Work", for: ann) } }
    }

    var root: ItemID { get throws { try work.root } }
    var trash: ItemID { get throws { try work.trash } }

    /// A change of `Work`, by Ann's laptop where nobody else is named. Time passes before it.
    func change<Result: Sendable>(
        by identity: Identity? = nil,
        _ body: @escaping @Sendable (Transaction, Domain) throws -> Result
    ) async throws -> Result {
        clock.advance(.seconds(1))
        let identity = identity ?? ann
        return try await store.write(as: identity) { transaction in
            try body(transaction, try transaction.db.domain("Work", for: identity))
        }
    }

    /// Lets Bob into `Work`.
    func invite(_ role: DomainRole = .writer) async throws {
        try await change { try $0.setMember("bob", role: role, of: $1) }
    }

    // MARK: Making and looking

    func folder(_ name: String, in parent: ItemID? = nil) async throws -> ItemID {
        let parent = try parent ?? root
        return try await change {
            try $0.create(ItemCreation(parent: parent, name: name, kind: .folder), in: $1)
        }
    }

    func file(
        _ name: String, _ text: String = "hello", in parent: ItemID? = nil, by: Identity? = nil
    ) async throws -> ItemID {
        let parent = try parent ?? root
        return try await change(by: by) {
            try $0.create(
                ItemCreation(parent: parent, name: name, kind: .file, content: .init(text: text)),
                in: $1)
        }
    }

    func item(_ id: ItemID) throws -> StoredItem {
        try store.read { try $0.item(id, in: work) }
    }

    func text(_ id: ItemID) throws -> String? {
        try store.read { db in
            guard let content = try db.item(id, in: work).content else { return nil }
            return try db.text(content)
        }
    }

    func path(_ names: String...) throws -> StoredItem {
        try store.read { try $0.item(at: names, in: work) }
    }

    /// The names in a folder, in its order.
    func names(in folder: ItemID? = nil, order: ItemOrder = .name) throws -> [String] {
        let folder = try item(folder ?? root)
        var names: [String] = []
        try store.read { db in
            try db.children(of: folder, in: work, order: order, isDescending: false, after: nil) {
                row throws(SQLiteError) in
                names.append(try row[ItemColumn.name])
                return true
            }
        }
        return names
    }

    func write(
        _ text: String, to id: ItemID, _ condition: ContentCondition = .any, by: Identity? = nil
    ) async throws -> Version? {
        try await change(by: by) {
            try $0.replaceContent(of: id, with: .init(text: text), condition: condition, in: $1)
        }
    }

    @discardableResult
    func modify(_ id: ItemID, by: Identity? = nil, _ change: ItemChange) async throws -> [String] {
        try await self.change(by: by) { try $0.modify(id, change, in: $1) }
    }

    func delete(
        _ id: ItemID, base: Version? = nil, recursive: Bool = true, by: Identity? = nil
    ) async throws {
        try await change(by: by) {
            try $0.delete(id.description, base: base, recursive: recursive, in: $1)
        }
    }

    /// Runs a retention step until it has nothing more to do.
    @discardableResult
    func retain(
        _ step: @escaping @Sendable (Transaction) throws -> RetentionStep
    ) async throws -> Int {
        var dropped = 0
        for _ in 0..<10_000 {
            let done = try await store.write { try step($0) }
            dropped += done.dropped
            if done.isDone { return dropped }
        }
        throw SQLiteError("retention never ends")
    }
}

/// Time that stands still until it is moved.
final class VirtualClock: Sendable {
    static let start = Timestamp(seconds: 1_790_000_000)
    private let moment = Mutex(VirtualClock.start)

    var now: Timestamp { moment.withLock { $0 } }

    func advance(_ duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }
}

extension StagedContent {
    init(text: String) {
        self.init(inline: Array(text.utf8))
    }
}

extension Connection {
    /// A small content as text.
    func text(_ content: Int64) throws -> String {
        guard case .inline(let bytes) = try storedContent(content) else { return "in chunks" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
