import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

@testable import BasketStore

/// One seed's run: random operations on a store and on the model, compared after each step.
final class ModelRun {
    let fixture: StoreFixture
    var model: StoreModel
    var random: SeededGenerator
    let people: [Identity]
    let devices: [Int64: String]
    /// Both names of each content.
    var versions: [Int: Version] = [:]
    var sightings: [(d: Int, id: ItemID, sighting: Sighting)] = []
    var replays: [(d: Int, replay: FeedReplay)] = []
    var last: (d: Int, who: Identity, operation: ModelOperation)?

    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    init(seed: UInt64) async throws {
        let fixture = try await StoreFixture(seed: seed)
        self.fixture = fixture
        random = SeededGenerator(seed: seed)
        people = [fixture.ann, fixture.phone, fixture.bob]
        devices = Dictionary(
            uniqueKeysWithValues: people.compactMap { who in
                who.device.map { ($0, who.deviceName) }
            })
        // `Work` is Ann's and byte-exact, `Home` is Bob's and portable; each lets the other one in.
        try await fixture.invite(.writer)
        let ann = fixture.ann
        let bob = fixture.bob
        try await fixture.store.write(as: bob) { transaction in
            _ = try transaction.createDomain(
                "Home", caseRule: .portable, hasTrash: true, quota: nil)
            let home = try transaction.db.domain("Home", for: bob)
            try transaction.setMember("ann", role: .writer, of: home)
            try transaction.note(blob: 1, size: 1 << 20)
        }
        model = StoreModel(domains: [])
        for (name, who) in [("Work", ann), ("Home", bob)] {
            let domain = try fixture.store.read { try $0.domain(name, for: who) }
            model.domains.append(
                ModelDomain(
                    number: domain.id, owner: domain.owner, rule: domain.caseRule,
                    root: domain.root, trash: domain.trash,
                    roles: [
                        ann.account: name == "Work" ? .owner : .writer,
                        bob.account: name == "Home" ? .owner : .writer,
                    ]))
            for (id, name) in [(domain.root, "root"), (domain.trash, "trash")] {
                let content = ModelContent(
                    serial: 0, stored: domain.created, modified: domain.created)
                model.domains[model.domains.count - 1].items[id] = ModelItem(
                    id: id, kind: .folder, parent: nil, name: name, current: content,
                    created: domain.created, mode: .folder, madeAt: 0, rank: 1)
            }
        }
        replays = [0, 0, 1].map { ($0, FeedReplay()) }
    }

    /// One step: a transaction of one or more operations, a look around, sometimes housekeeping.
    func step() async throws {
        fixture.clock.advance(
            .milliseconds(chance(20) ? 60_000 : 1 + Int(random.next() % 9000)))
        if chance(12) {
            try await keepHouse()
        } else {
            try await operate()
        }
        try compare()
        try look()
        try follow()
    }

    private func operate() async throws {
        var d = pick([0, 0, 1])
        var who = pick(people)
        var operations = (0..<(chance(8) ? 4 : 1)).map { _ in draw(d, by: who) }
        if chance(25), let last {  // Sent again: its answer was lost.
            (d, who) = (last.d, last.who)
            operations = [last.operation]
        }
        let isBatch = operations.count > 1
        let number = model.domains[d].number
        let (asked, performer) = (operations, who)
        let results: [Result<ModelOutcome, StoreError>]
        do {
            results = try await fixture.store.write(as: who) { transaction in
                guard let domain = try transaction.db.domain(number: number, for: performer) else {
                    throw StoreError.noSuchDomain("")
                }
                guard isBatch else {
                    return [.success(try asked[0].perform(on: transaction, in: domain))]
                }
                return try asked.map { operation in
                    do {
                        return .success(
                            try transaction.attempt {
                                try operation.perform(on: transaction, in: domain)
                            })
                    } catch let error as StoreError {
                        return .failure(error)
                    }
                }
            }
        } catch let error as StoreError {
            results = [.failure(error)]
        }
        model.begin(at: fixture.clock.now)
        for (operation, result) in zip(operations, results) {
            let minted = (try? result.get())?.ids ?? []
            let expected: Result<ModelOutcome, StoreError>
            do {
                expected = .success(
                    try model.attempt {
                        try operation.perform(
                            on: &$0, minted: minted, by: who, d, devices: devices)
                    })
            } catch let error as StoreError {
                expected = .failure(error)
            }
            guard Self.agree(expected, result) else {
                throw Difference(
                    description: "\(operation) by \(who.deviceName) in \(d): expected \(expected), "
                        + "got \(result)")
            }
            last = (d, who, operation)
        }
        model.end()
    }

    /// Sentences aside: a version is named differently on both sides.
    private static func agree(
        _ expected: Result<ModelOutcome, StoreError>, _ got: Result<ModelOutcome, StoreError>
    ) -> Bool {
        if case .failure(.noSuchVersion) = expected, case .failure(.noSuchVersion) = got {
            return true
        }
        return expected == got
    }

    private func keepHouse() async throws {
        let day = Duration.seconds(86_400)
        let policy = RetentionPolicy(
            allVersions: .seconds(100), dailyVersions: .zero, monthlyVersions: .zero,
            deletedContents: .seconds(150), tombstones: .seconds(300), trash: .seconds(200))
        switch random.next() % 5 {
        case 0, 1:
            _ = try await fixture.store.write { transaction in
                _ = try transaction.thinVersions(policy, after: ItemID(rawValue: 0))
                _ = try transaction.purgeDeletedContents(policy)
                return try transaction.forgetTombstones(policy)
            }
            model.begin(at: fixture.clock.now)
            model.retain(policy)
            model.end()
        case 2:
            _ = try await fixture.store.write { try $0.emptyTrash(policy) }
            model.begin(at: fixture.clock.now)
            model.emptyTrash(policy)
            model.end()
        case 3:
            let d = pick([0, 1])
            let quota: Int64? = chance(40) ? nil : Int64(random.next() % 800)
            // Only an empty one can be switched off.
            let isInTrash = !model.domains[d].children(model.domains[d].trash).isEmpty
            let hasTrash = !chance(25) || isInTrash
            let forAccount = chance(30)
            let (number, owner) = (model.domains[d].number, people[d == 0 ? 0 : 2])
            try await fixture.store.write(as: owner) { transaction in
                if forAccount {
                    var change = AccountChange()
                    change.quota = quota.map { .set($0) } ?? .clear
                    return try transaction.change(account: owner.accountName, change)
                }
                var change = DomainChange()
                change.quota = quota.map { .set($0) } ?? .clear
                change.hasTrash = hasTrash
                if let domain = try transaction.db.domain(number: number, for: owner) {
                    try transaction.change(domain, change)
                }
            }
            if forAccount {
                model.quotas[owner.account] = quota
            } else {
                model.domains[d].quota = quota
                model.domains[d].hasTrash = hasTrash
            }
        default:
            fixture.clock.advance(chance(3) ? day : .seconds(120))
        }
    }

    // MARK: Comparing

    private func compare() throws {
        try fixture.store.read { db in
            for domain in model.domains {
                let lines = try db.all(ModelItem.lines, domain.number) {
                    row throws(SQLiteError) in try row[0] as String
                }
                var children: [ItemID: Int] = [:]
                for item in domain.items.values where item.isLive {
                    if let parent = item.parent { children[parent, default: 0] += 1 }
                }
                let expected = domain.items.values.sorted { $0.id < $1.id }
                    .map { $0.line(children: children[$0.id, default: 0]) }
                guard lines == expected else {
                    let wrong = zip(lines, expected).first { $0 != $1 }
                    throw Difference(
                        description: "\(lines.count) rows instead of \(expected.count):\n"
                            + "got      \(wrong?.0 ?? lines.last ?? "")\n"
                            + "expected \(wrong?.1 ?? expected.last ?? "")")
                }
                let facts = try db.first(
                    "SELECT rank, pruned, used, history FROM domain WHERE id = ?", domain.number
                ) { row throws(SQLiteError) in (0..<4).map { row.integer(Int32($0)) } }
                let wanted = [domain.rank, domain.pruned, domain.used, domain.history]
                guard facts == wanted else {
                    throw Difference(
                        description: "rank, pruned, used, history: \(facts ?? []) instead of "
                            + "\(wanted)")
                }
            }
            let broken = try StoreInvariants.broken(in: db)
            guard broken.isEmpty else { throw Difference(description: "broken: \(broken)") }
        }
    }

    /// Learns the names of new versions, and has somebody look at an item.
    private func look() throws {
        try fixture.store.read { db in
            for domain in model.domains {
                for item in domain.items.values where item.rank == domain.rank {
                    let numbers: [Version] = try db.all(
                        """
                        SELECT id FROM version WHERE item = ?1
                        UNION SELECT content_version FROM item WHERE id = ?1 ORDER BY 1
                        """, item.id
                    ) { row throws(SQLiteError) in try row[0] }
                    let serials = (item.earlier + item.conflicts + [item.current]).map(\.serial)
                    guard serials.count == numbers.count else {
                        throw Difference(description: "\(item.id) has \(numbers.count) versions")
                    }
                    for (serial, number) in zip(serials.sorted(), numbers) {
                        guard versions[serial, default: number] == number || serial == 0 else {
                            throw Difference(description: "version \(serial) changed its number")
                        }
                        versions[serial] = number
                    }
                }
            }
        }
        let d = pick([0, 1])
        if let item = anyItem(d, live: true) {
            sightings.append((d, item.id, try sight(item)))
            if sightings.count > 24 { sightings.removeFirst() }
        }
    }

    func sight(_ item: ModelItem) throws -> Sighting {
        try fixture.store.read { db in
            let seen = try db.withItem(item.id) { row throws(SQLiteError) in
                (
                    content: try row[ItemColumn.contentVersion] as Version,
                    metadata: try row[ItemColumn.metadataVersion] as Version
                )
            }
            return Sighting(
                content: seen.content, metadata: seen.metadata, serial: item.current.serial,
                contentTick: item.current.tick, tick: model.tick)
        }
    }

    /// Has a client read a page of its feed; one that has all must know the tree.
    private func follow() throws {
        let index = Int(random.next() % UInt64(replays.count))
        let (d, _) = replays[index]
        let domain = model.domains[d]
        let limit = pick([1, 2, 3, 7, 100])
        try fixture.store.read { db in
            try db.snapshot {
                guard let stored = try db.domain(number: domain.number, for: people[d == 0 ? 0 : 2])
                else { throw Difference(description: "the domain is gone") }
                let anchor = replays[index].replay.anchor
                do {
                    try replays[index].replay.readPage(limit, of: stored, in: db)
                } catch StoreError.anchorExpired {
                    let seen =
                        anchor.map { $0.listedSince ?? ($0.item == nil ? $0.rank : $0.rank - 1) }
                    guard let seen, seen < domain.pruned else {
                        throw Difference(description: "\(String(describing: anchor)) has expired")
                    }
                    replays[index].replay = FeedReplay()
                }
            }
        }
        let replay = replays[index].replay
        guard replay.complaints.isEmpty else {
            throw Difference(description: "the feed: \(replay.complaints)")
        }
        guard replay.isCurrent else { return }
        let live = domain.items.filter { $0.value.isLive && $0.key != domain.trash }.mapValues {
            FeedReplay.Known(parent: $0.parent, name: $0.name, rank: $0.rank)
        }
        guard replay.items == live else {
            throw Difference(description: "the feed gives \(replay.items) instead of \(live)")
        }
    }
}
