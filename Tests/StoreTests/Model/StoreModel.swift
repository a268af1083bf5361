import BasketModels
import BasketSupport

@testable import BasketStore

/// A domain, in the model.
struct ModelDomain {
    let number: Int64
    let owner: Int64
    let rule: CaseRule
    let root: ItemID
    let trash: ItemID
    var roles: [Int64: DomainRole]
    var hasTrash = true
    var quota: Int64?
    var rank: Int64 = 1
    var pruned: Int64 = 0
    var items: [ItemID: ModelItem] = [:]

    /// Names collide without regard to case and Unicode form, or only when their bytes are the same.
    func collide(_ left: String, _ right: String) -> Bool {
        switch rule {
        case .posix: Array(left.utf8) == Array(right.utf8)
        case .portable: left.lowercased() == right.lowercased()
        }
    }

    func children(_ id: ItemID) -> [ModelItem] {
        items.values.filter { $0.parent == id && $0.isLive }
    }

    func child(_ name: String, of parent: ItemID) -> ModelItem? {
        parent == trash ? nil : children(parent).first { collide($0.name, name) }
    }

    func isInside(_ id: ItemID, _ ancestor: ItemID) -> Bool {
        var next: ItemID? = id
        while let current = next {
            if current == ancestor { return true }
            next = items[current]?.parent
        }
        return false
    }

    func freeName(_ name: String, in parent: ItemID) -> String {
        if child(name, of: parent) == nil { return name }
        let bounced = BouncedName(name)
        var index = 0
        while child(bounced.candidate(index), of: parent) != nil { index += 1 }
        return bounced.candidate(index)
    }

    var used: Int64 { items.values.filter(\.isLive).reduce(0) { $0 + $1.bytes } }

    var history: Int64 {
        items.values.reduce(0) { sum, item in
            sum + (item.isLive ? 0 : item.bytes) + item.earlier.reduce(0) { $0 + $1.size }
        }
    }
}

/// What the store should do, said as plainly as possible: whole items in memory, sums and searches
/// from scratch each time. Every operation is given the identifiers that the store minted for it.
struct StoreModel {
    var domains: [ModelDomain]
    var quotas: [Int64: Int64] = [:]
    var now = VirtualClock.start
    /// One for each operation: a field's age.
    var tick = 0
    var serial = 0
    /// Domains that the transaction has changed so far.
    var changed: Set<Int> = []

    // MARK: Transactions

    mutating func begin(at moment: Timestamp) {
        now = moment
        changed = []
    }

    mutating func end() {
        for index in changed { domains[index].rank += 1 }
    }

    /// A part that may fail without leaving a trace.
    mutating func attempt<Result>(_ body: (inout StoreModel) throws -> Result) throws -> Result {
        var copy = self
        copy.tick += 1
        let result = try body(&copy)
        self = copy
        return result
    }

    // MARK: Parts

    func require(_ role: DomainRole, _ who: Identity, _ d: Int) throws {
        let has = domains[d].roles[who.account] ?? .reader
        let isEnough =
            switch role {
            case .reader: true
            case .writer: has != .reader
            case .owner: has == .owner
            }
        guard isEnough else {
            throw StoreError.forbidden(needs: role.rawValue)
        }
    }

    func item(_ id: ItemID, _ d: Int) throws -> ModelItem {
        let domain = domains[d]
        guard let item = domain.items[id], item.isLive, id != domain.trash || domain.hasTrash else {
            throw StoreError.noSuchItem(id.description)
        }
        return item
    }

    /// Keeps an item that the transaction changed.
    mutating func save(_ item: ModelItem, _ d: Int) {
        var item = item
        item.rank = domains[d].rank + 1
        domains[d].items[item.id] = item
        changed.insert(d)
    }

    mutating func newContent(
        _ content: StagedContent?, base: Int?, by who: Identity, modified: Timestamp
    ) -> ModelContent {
        serial += 1
        return ModelContent(
            serial: serial, tick: tick, content: content, base: base, device: who.device,
            stored: now,
            modified: modified)
    }

    func checkName(_ name: String, _ d: Int) throws {
        if let problem = domains[d].rule.problem(with: name) {
            throw StoreError.badName(field: "name", problem)
        }
    }

    // MARK: Quotas

    mutating func makeRoom(_ bytes: Int64, _ d: Int) throws {
        guard bytes > 0 else { return }
        var missing: Int64 = 0
        let owner = domains[d].owner
        let all = domains.indices.filter { domains[$0].owner == owner }
        for (quota, scope) in [(domains[d].quota, [d]), (quotas[owner], all)] {
            guard let quota else { continue }
            func total() -> Int64 {
                scope.reduce(0) { $0 + domains[$1].used + domains[$1].history }
            }
            while total() > quota, letOldestGo(scope) {}
            missing = max(missing, total() - quota)
        }
        guard missing <= 0 else {
            throw StoreError.insufficientQuota(needed: bytes, available: max(0, bytes - missing))
        }
    }

    /// Drops the oldest piece of history; false when there is none.
    private mutating func letOldestGo(_ scope: [Int]) -> Bool {
        typealias Entry = (since: Timestamp, isVersion: Int, order: Int64, d: Int, id: ItemID)
        var entries: [Entry] = []
        for d in scope {
            for item in domains[d].items.values {
                if let deleted = item.deleted, item.bytes > 0 {
                    entries.append((deleted, 0, item.id.rawValue, d, item.id))
                }
                for version in item.earlier {
                    entries.append(
                        (version.superseded ?? now, 1, Int64(version.serial), d, item.id))
                }
            }
        }
        let oldest = entries.min {
            ($0.since, $0.isVersion, $0.order) < ($1.since, $1.isVersion, $1.order)
        }
        guard let oldest else { return false }
        if oldest.isVersion == 1 {
            domains[oldest.d].items[oldest.id]?.earlier.removeAll { $0.serial == oldest.order }
        } else {
            purge(oldest.id, oldest.d)
        }
        return true
    }

    // MARK: Retention

    mutating func purge(_ id: ItemID, _ d: Int) {
        guard var item = domains[d].items[id] else { return }
        if item.current.content != nil { item.isPurged = true }
        item.current.content = nil
        item.earlier = []
        item.conflicts = []
        item.thumbnail = nil
        item.xattrs = [:]
        item.removedXattrs = [:]
        domains[d].items[id] = item
    }

    mutating func retain(_ policy: RetentionPolicy) {
        for d in domains.indices {
            for (id, item) in domains[d].items {
                domains[d].items[id]?.earlier.removeAll { version in
                    now - (version.superseded ?? now) > policy.allVersions
                }
                guard let deleted = item.deleted else { continue }
                let holds =
                    item.current.content != nil || !item.conflicts.isEmpty || item.thumbnail != nil
                if holds, deleted < now - policy.deletedContents { purge(id, d) }
                if deleted < now - policy.tombstones {
                    domains[d].pruned = max(domains[d].pruned, item.rank)
                    domains[d].items[id] = nil
                    for (child, orphan) in domains[d].items where orphan.parent == id {
                        domains[d].items[child]?.parent = nil
                    }
                }
            }
        }
    }

    mutating func emptyTrash(_ policy: RetentionPolicy) {
        guard let age = policy.trash else { return }
        for d in domains.indices {
            for item in domains[d].items.values where item.isLive {
                if let trashed = item.trashed, trashed < now - age {
                    bury(item.id, by: nil, d)
                }
            }
        }
    }

    mutating func bury(_ id: ItemID, by who: Identity?, _ d: Int) {
        for child in domains[d].children(id) { bury(child.id, by: who, d) }
        guard var item = domains[d].items[id] else { return }
        item.deleted = now
        item.deletedBy = who?.account
        item.deletedWith = who?.device
        save(item, d)
    }
}
