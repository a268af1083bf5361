import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

// What people did neither at first nor then.
extension People {
    func actLater(
        _ some: (path: String, node: StoredNode)?, _ parent: NodeID, _ name: String,
        _ device: Device, _ step: Int
    ) async throws {
        switch executor.random(16) {
        case 0..<4:
            guard let some else { return }
            try await describe(some, device, step)
        case 4: try await createLong(name, parent, device, step)
        case 5: try await write(longText(device, step), to: some, device)
        case 6..<8:
            guard let some else { return }
            try await respell(some, device)
        case 8: try await endConflict(some, device)
        case 9: try await restorePrevious(some, device)
        case 10:
            trace("\(device.name) searches")
            _ = try await device.search("a")
        case 11:
            let isLimited = executor.random(3) == 0
            trace(isLimited ? "nothing more may be stored" : "much may be stored")
            try await storage.suffer(isLimited ? .isLimited : .isUnlimited)
        case 12:
            trace("the server dies")
            try await storage.suffer(.dies)
        case 13:
            trace("the server loses its power")
            try await storage.suffer(.losesPower)
        case 14:
            trace("the server has no room")
            try await storage.suffer(.hasNoRoom)
        default:
            trace("the server has room")
            try await storage.suffer(.hasRoom)
        }
    }

    /// Nobody works any more.
    func goHome() async {
        if run.habits >= .third { await programs.closeAll() }
    }

    // MARK: What is said of items

    /// Says something of an item, and notes that it did.
    func describe(
        _ some: (path: String, node: StoredNode), _ device: Device, _ step: Int
    ) async throws {
        let id = some.node.id
        let field = executor.random(6)
        let isOn = executor.random(3) > 0
        let (name, value): (String, String)
        switch field {
        case 0:
            let modified = Timestamp(seconds: 1_600_000_000 + Int64(step))
            (name, value) = ("modified", "\(modified.nanoseconds / 1000)")
            try await device.host.setAttributes(of: id) { $0.modified = modified }
        case 1:
            (name, value) = ("tags", isOn ? "tag\(step)" : "")
            let tags = isOn ? Data("[\"tag\(step)\"]".utf8) : nil
            try await device.host.setAttributes(of: id) { $0.tags = tags }
        case 2:
            var flags: NSFileProviderFileSystemFlags = [.userReadable, .userWritable]
            if isOn { flags.insert(.hidden) }
            if step % 2 == 0 || some.node.kind != .file { flags.insert(.userExecutable) }
            (name, value) = ("flags", "\(flags.rawValue)")
            try await device.host.setAttributes(of: id) { [flags] in $0.flags = flags }
        case 3:
            let rank = isOn ? UInt64(step + 1) : nil
            (name, value) = ("favourite", rank.map { "\($0)" } ?? "-")
            try await device.host.setAttributes(of: id) { $0.favoriteRank = rank }
        default:
            name = field == 4 ? "user.a" : "user.b"
            value = isOn ? "value \(step)" : "-"
            try await device.host.setAttributes(of: id) { [name, value] in
                $0.extended[name] = isOn ? Data(value.utf8) : nil
            }
            if !storage.mergesAttributes { note(field == 4 ? "user.b" : "user.a", nil, id, device) }
        }
        trace("\(device.name) says of \(some.path): \(name) \(value)")
        note(name, value, id, device)
    }

    /// What is written to has another date, that nobody keeps a book of.
    func noteDate(of id: NodeID, writing text: String? = nil, _ device: Device) {
        if let text, let item = try? device.identifier(of: id).rawValue {
            books.metadata.noteWriting(text, to: item)
        }
        note("modified", nil, id, device)
        note("flags", nil, id, device)
    }

    private func note(_ field: String, _ value: String?, _ id: NodeID, _ device: Device) {
        guard let item = try? device.identifier(of: id).rawValue else {
            return books.metadata.set(field, of: id, to: value, on: device.name)
        }
        if let value { trace("  that is \(field) \(value) of \(item)") }
        books.metadata.set(field, of: item, to: value, on: device.name)
        // Others may go on with the item, and do not hear what is said of what stays on a device.
        let path = try? device.replica.read { try $0.path(of: id) }
        if let path, Self.staysHere(path) { books.metadata.doubt(item: item) }
    }

    /// Whether something with these names stays on its device.
    private static func staysHere(_ path: [String]) -> Bool {
        path.contains { name in
            let name = name.lowercased()
            return name.hasSuffix("~") || name.hasSuffix(".local")
        }
    }

    // MARK: What is taken away

    func noteRemoval(
        of some: (path: String, node: StoredNode), _ device: Device
    ) throws {
        try noteRemoval(of: some.node.id, device)
    }

    /// It is called something else from now on.
    func noteFormerName(of node: StoredNode, _ device: Device) {
        guard node.identifier == nil, let name = node.trees.local?.name else { return }
        books.removals.noteFormer(name, of: "\(device.name) \(node.id.rawValue)")
    }

    private func noteRemoval(of id: NodeID, _ device: Device) throws {
        for node in try device.subtree(of: id) {
            let item = node.identifier?.rawValue
            books.removals.note(item, named: node.trees.local?.name ?? "")
            books.removals.noteRemoval(
                of: "\(device.name) \(node.id.rawValue)",
                isUnheard: node.identifier == nil && node.isUnanswered)
            if let item { books.metadata.doubt(item: item) }
            if node.isUnanswered {
                var present: [String: String] = [:]
                // A write has given it a date that nobody keeps a book of.
                if let modified = node.trees.local?.attributes.modified {
                    present["modified"] = "\(modified.nanoseconds / 1000)"
                }
                books.metadata.lose(node.id, on: device.name, present: present)
            }
        }
    }

    /// What is called so from now on stays here, and is gone for others.
    func noteExclusion(
        of id: NodeID, in parent: NodeID, as name: String, _ device: Device
    ) throws {
        let path = try device.replica.read { try $0.path(of: parent) } + [name]
        guard Self.staysHere(path) else { return }
        try noteRemoval(of: id, device)
        for node in try device.subtree(of: id) where node.kind == .folder {
            if let item = node.identifier?.rawValue { books.removals.noteStay(of: item) }
        }
        books.removals.note(nil, named: name)
    }

    // MARK: Long files

    private func longText(_ device: Device, _ step: Int) -> String {
        let lengths =
            run.hasLongFiles ? [70_000, 70_000, 100_000, 300_000, 600_000, 1_300_000] : [150]
        return Passage.line(
            "text \(step) of \(device.name)", longerBy: lengths[executor.random(lengths.count)])
    }

    private func createLong(
        _ name: String, _ parent: NodeID, _ device: Device, _ step: Int
    ) async throws {
        try await create(name, in: parent, longText(device, step), device)
    }

    // MARK: Names

    /// Gives something the same name in other letters.
    private func respell(
        _ some: (path: String, node: StoredNode), _ device: Device
    ) async throws {
        guard let place = some.node.trees.local, place.parent != .trash else { return }
        let upper = place.name.uppercased()
        let name = upper == place.name ? place.name.lowercased() : upper
        let victim = try device.replica.read { try $0.child(name, of: place.parent) }
        if let victim, victim.id != some.node.id { return }
        try noteExclusion(of: some.node.id, in: place.parent, as: name, device)
        trace("\(device.name) calls \(some.path) \(name)")
        noteFormerName(of: some.node, device)
        try await device.move(some.node.id, to: place.parent, as: name)
    }

    // MARK: Versions

    /// Somebody chooses among the contents of a file that lost a race.
    private func endConflict(
        _ some: (path: String, node: StoredNode)?, _ device: Device
    ) async throws {
        let choice = ["keep-current", "keep-other", "keep-all"][executor.random(3)]
        try await choose("basket.conflict.\(choice)", of: some, device)
    }

    func choose(
        _ action: String, of some: (path: String, node: StoredNode)?, _ device: Device
    ) async throws {
        guard storage.isUp, let some, some.node.kind == .file,
            let item = some.node.identifier?.rawValue
        else { return }
        let before = try storage.contents(of: item).present
        trace("\(device.name) has \(action) done to \(some.path): \(before.sorted())")
        noteDate(of: some.node.id, device)
        books.metadata.doubt(item: item)
        defer {
            // Where nobody can look, nobody knows.
            let after = (try? storage.contents(of: item).present) ?? []
            for text in before.subtracting(after).sorted() { books.removed(text) }
        }
        try await device.perform(action, on: some.node.id)
    }
}
