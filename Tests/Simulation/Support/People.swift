import FileProvider
import FileProviderHost
import FileProviderReplica
import Synchronization

/// The people of a scenario: what they do next with their devices, and what happens to those.
final class People: Sendable {
    let executor: SimulationExecutor
    let books: Books
    let run: Run
    let storage: any Storage
    private var habits: Habits { run.habits }
    let programs = OpenPrograms()
    let trace: @Sendable (String) -> Void
    let complain: @Sendable (String) -> Void
    /// By device, what was written and may not be on its disk.
    private let unsafe = Mutex<[String: [String]]>([:])

    init(
        _ run: Run, _ books: Books, _ storage: any Storage, executor: SimulationExecutor,
        trace: @escaping @Sendable (String) -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.run = run
        self.books = books
        self.storage = storage
        self.executor = executor
        self.trace = trace
        self.complain = complain
    }

    /// Does something.
    func act(on device: Device, _ step: Int) async {
        do {
            if executor.random(4) == 0 {
                let unknown = try await device.browse(withTrash: habits.knowTrash)
                // Trouble is never an empty folder.
                if habits >= .third, !unknown.isEmpty {
                    complain("\(device.name) shows \(unknown), and knows nothing of them")
                }
            }
            let nodes = try device.nodes()
            let folders = try device.listedFolders()
            if folders.isEmpty { return }
            let parent = folders[executor.random(folders.count)]
            let name = run.name(
                habits.names[executor.random(habits.names.count)], on: device.name)
            let some = nodes.isEmpty ? nil : nodes[executor.random(nodes.count)]
            switch executor.random(habits.count) {
            case 0..<4:
                let text = "text \(step) of \(device.name)"
                try await create(name, in: parent, text, device)
            case 4..<8:
                try await write("text \(step) of \(device.name)", to: some, device)
            case 8..<10:
                trace("\(device.name) makes folder \(name) in \(parent.rawValue)")
                try await device.makeFolder(name, in: parent)
            case 10..<13:
                guard let some else { return }
                let victim = try device.replica.read { try $0.child(name, of: parent) }
                if let victim, victim.id != some.node.id { return }
                try noteExclusion(of: some.node.id, in: parent, as: name, device)
                trace("\(device.name) moves \(some.path) to \(name) in \(parent.rawValue)")
                noteFormerName(of: some.node, device)
                let there = try await device.move(some.node.id, to: parent, as: name)
                if there != some.node.id {
                    try await noteSaved(there, keeping: some.node.id, device)
                }
            case 13..<15:
                guard let some else { return }
                let text =
                    some.node.kind == .file ? try? await device.text(of: some.node.id) : nil
                if some.node.kind == .file, text == nil { return }
                trace("\(device.name) removes \(some.path): \(text ?? "folder")")
                try noteRemoval(of: some, device)
                try await device.remove(some.node.id)
                if let text { books.removed(text) }
            case 15:
                guard let some else { return }
                if habits >= .third { return try await describe(some, device, step) }
                try await device.tag(some.node.id, UInt8(step % 250))
            case 16:
                trace("\(device.name) loses its network")
                device.network.isCut = true
            case 17:
                trace("\(device.name) has its network back")
                device.reconnect()
            case 18:
                guard let some, some.node.kind == .file else { return }
                try await device.host.evict(some.node.id)
            case 19:
                // What is offered once more stays open, but for those who closed it then as well.
                if habits < .third { programs.end(on: device) }
                try await restart(device)
            case 20:
                try await save(some, step, device)
            case 50...: try await dieWhileWorking(device)
            case 34...: try await actLater(some, parent, name, device, step)
            case 21..<24: try await leaveOpen(some, device, step)
            default: try await actOtherwise(some, parent, name, device, step)
            }
        } catch let error as LocalError {
            trace("  refused: \(error)")
        } catch {
            trace("  failed: \(error)")
        }
    }

    func write(
        _ text: String, to some: (path: String, node: StoredNode)?, _ device: Device
    ) async throws {
        guard let some, some.node.kind == .file else { return }
        let before = try? await device.text(of: some.node.id)
        guard let before else { return }
        trace("\(device.name) writes \(some.path): \(text) over \(before)")
        if !books.isKnown(before) { complain("nobody has ever written: \(before)") }
        noteDate(of: some.node.id, writing: text, device)
        do {
            try await device.write(text, to: some.node.id)
        } catch {
            // What cannot be written was cut off before.
            books.wrote("", over: before)
            throw error
        }
        programs.wrote(text, to: some.node.id, on: device)
        books.wrote(text, over: before)
        try await consider(some.node.id, text, device)
    }

    /// Programs that open files, and go on with them some other time.
    private func leaveOpen(
        _ some: (path: String, node: StoredNode)?, _ device: Device, _ step: Int
    ) async throws {
        switch executor.random(4) {
        case 0:
            guard let some, some.node.kind == .file else { return }
            trace("\(device.name) begins to read \(some.path)")
            try await programs.beginReading(some.node.id, on: device)
        case 1:
            guard let text = try await programs.endReading() else { return }
            trace("somebody has read \(text)")
            if !books.isKnown(text) { complain("nobody has ever written: \(text)") }
        case 2:
            guard let some, some.node.kind == .file else { return }
            trace("\(device.name) begins to edit \(some.path)")
            try await programs.beginEditing(some.node.id, on: device)
        default:
            let text = "text \(step) of an editor"
            let pause = executor.random(3) == 0 ? executor.random(20) : 0
            guard let edited = try await programs.endEditing(with: text, pause: pause) else {
                return
            }
            noteDate(of: edited.node, writing: text, edited.device)
            trace("\(edited.device.name) has edited \(text) over \(edited.before)")
            books.wrote(
                text, over: edited.before[0], perhapsOver: Array(edited.before[1...]))
            try await consider(edited.node, text, edited.device)
        }
    }

    /// Programs that care have what they wrote made durable.
    func consider(_ id: NodeID, _ text: String, _ device: Device) async throws {
        if executor.random(2) == 0 {
            try await device.synchronise(id)
        } else {
            unsafe.withLock { $0[device.name, default: []].append(text) }
        }
    }

    func crash(_ device: Device) throws {
        trace("\(device.name) loses its power")
        try device.crash()
        let texts = unsafe.withLock { $0.removeValue(forKey: device.name) ?? [] }
        for text in texts {
            books.mayBeLost(text)
            books.metadata.noteLost(text)
        }
    }

    private func restart(_ device: Device) async throws {
        var unsent: [NodeID: String] = [:]
        switch executor.random(5) {
        case 4 where run.hasOffers:
            books.noteOffer()
            trace("\(device.name) offers everything once more")
            return try await device.manager.reimportItems(below: .rootContainer)
        case 0:
            programs.end(on: device)
            trace("\(device.name) loses its database")
            unsent = try device.unsent()
            try books.metadata.resolve(device.name) { id in
                try device.replica.read { try $0.node(id)?.identifier?.rawValue }
            }
            try device.loseDatabase()
        case 1:
            programs.end(on: device)
            trace("\(device.name) is restarted")
            await device.stop()
        case 2:
            programs.end(on: device)
            trace("\(device.name) is killed")
            device.kill()
        default:
            programs.end(on: device)
            try crash(device)
        }
        try await device.start()
        try noteUnanswered(device)
        for loss in try device.losses(of: unsent) { complain(loss) }
    }

    /// What was not done at first.
    private func actOtherwise(
        _ some: (path: String, node: StoredNode)?, _ parent: NodeID, _ name: String,
        _ device: Device, _ step: Int
    ) async throws {
        switch executor.random(10) {
        case 0..<2:
            guard let some, !some.path.hasPrefix("trash:") else { return }
            // On the way there it has another name.
            try noteExclusion(of: some.node.id, in: .trash, as: name, device)
            trace("\(device.name) moves \(some.path) to the trash")
            try await device.move(some.node.id, to: .trash, as: "\(name) \(step)")
        case 2:
            guard let some else { return }
            trace("\(device.name) pins \(some.path)")
            try await device.perform("basket.pin", on: some.node.id)
        case 3:
            guard let some else { return }
            trace("\(device.name) unpins \(some.path)")
            try await device.perform("basket.unpin", on: some.node.id)
        case 4..<6:
            trace("\(device.name) makes a link \(name) in \(parent.rawValue) to \(step)")
            try await device.makeLink(name, in: parent, to: "\(step)")
        case 6:
            trace("\(device.name) has no room")
            device.disk.isFull = true
        case 7..<9:
            trace("\(device.name) has room")
            device.disk.isFull = false
        default:
            let hours = executor.random(49) - 24
            trace("\(device.name) is \(hours) hours ahead")
            device.setClock(ahead: .seconds(hours * 3600))
        }
    }
}
