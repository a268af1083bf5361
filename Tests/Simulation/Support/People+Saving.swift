import FileProvider
import FileProviderReplica

// What people and their programs do to have new files, and new texts in old ones.
extension People {
    @discardableResult
    func create(
        _ name: String, in parent: NodeID, _ text: String, _ device: Device
    ) async throws -> NodeID {
        trace("\(device.name) creates \(name) in \(parent.rawValue): \(text)")
        let known = try device.replica.read { reader in
            try reader.children(of: parent, limit: 1000).map {
                (id: $0.id, name: $0.trees.local?.name)
            }
        }
        let id = try await device.create(name, in: parent, text)
        books.wrote(text)
        // Somebody had that name a moment ago, and has it again.
        if let former = known.first(where: { $0.id == id })?.name {
            try await noteSaved(text, id, keeping: former, in: parent, device)
        }
        try await consider(id, text, device)
        return id
    }

    private func noteSaved(
        _ text: String, _ id: NodeID, keeping former: String, in parent: NodeID, _ device: Device
    ) async throws {
        noteDate(of: id, device)
        guard let kept = try device.replica.read({ try $0.child(former, of: parent) }) else {
            return
        }
        let before = try await device.text(of: kept.id)
        trace("  that is what follows \(before), which is \(former) now")
        books.wrote(text, asNextOf: before)
    }

    /// What was to be moved has changed places with what had that name a moment ago.
    func noteSaved(_ id: NodeID, keeping kept: NodeID, _ device: Device) async throws {
        noteDate(of: id, device)
        noteDate(of: kept, device)
        let (text, before) = try await (device.text(of: id), device.text(of: kept))
        trace("  that is \(text), which follows \(before)")
        books.wrote(text, asNextOf: before)
    }

    func save(
        _ some: (path: String, node: StoredNode)?, _ step: Int, _ device: Device
    ) async throws {
        guard let some, some.node.kind == .file, let place = some.node.trees.local else { return }
        let text = "text \(step) of \(device.name)"
        let before = try await device.text(of: some.node.id)
        trace("\(device.name) saves \(some.path): \(text) over \(before)")
        if run.habits >= .fourth, step.isMultiple(of: 2) {
            return try await save(some.node, place, keeping: before, text, device)
        }
        try await save(some, place, over: before, text, device)
    }

    /// Saves a file as many programs do: the new text goes into another file, which then takes the name.
    private func save(
        _ some: (path: String, node: StoredNode), _ place: Entry, over before: String,
        _ text: String, _ device: Device
    ) async throws {
        let new = try await device.create(place.name + ".new", in: place.parent, text)
        books.wrote(text)
        try await consider(new, text, device)
        // Somebody else's may have the name by now, or be in the file, which this program has not read.
        let holder = try device.replica.read { try $0.child(place.name, of: place.parent) }
        guard let holder, holder.id == some.node.id,
            holder.trees.local?.content == place.content
        else { return trace("  and leaves it at that") }
        programs.wrote(text, to: some.node.id, on: device)
        noteDate(of: some.node.id, writing: text, device)
        // The other file may be there by now, and gives way.
        try noteRemoval(of: some, device)
        books.removals.note(nil, named: place.name + ".new")
        try await device.move(new, to: place.parent, as: place.name)
        books.wrote(text, over: before)
    }

    /// Saves a file as many others do: what is there gets another name, and a new file that one.
    private func save(
        _ node: StoredNode, _ place: Entry, keeping before: String, _ text: String,
        _ device: Device
    ) async throws {
        let kept = place.name + (text.count.isMultiple(of: 2) ? ".bak" : "~")
        guard try device.replica.read({ try $0.child(kept, of: place.parent) }) == nil else {
            return
        }
        try noteExclusion(of: node.id, in: place.parent, as: kept, device)
        noteFormerName(of: node, device)
        try await device.move(node.id, to: place.parent, as: kept)
        do {
            try await create(place.name, in: place.parent, text, device)
        } catch {
            // What cannot be written may be there all the same, and empty.
            books.wrote("", asNextOf: before)
            throw error
        }
    }
}
