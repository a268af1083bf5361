import FileProvider
import FileProviderHost
import FileProviderReplica

// What was not done before that, either.
extension People {
    /// A device dies between two of its transactions, whatever it is doing.
    func dieWhileWorking(_ device: Device) async throws {
        programs.end(on: device)
        let count = 1 + executor.random(6)
        trace("\(device.name) dies after \(count) transactions")
        device.die(after: count)
        for _ in 0..<40 where !device.isDead { try await executor.sleep(.milliseconds(50)) }
        if executor.random(2) == 0 {
            device.kill()
        } else {
            try crash(device)
        }
        try await device.start()
        try noteUnanswered(device)
    }

    /// What a device that has died asked for may be done later than what it asks for from here on.
    func noteUnanswered(_ device: Device) throws {
        for text in try device.textsUnanswered() { books.noteUnanswered(text) }
        for item in try device.itemsUnheard() {
            books.metadata.noteUnheard(of: item, on: device.name)
        }
    }

    /// Somebody has the content before the present one come back.
    func restorePrevious(
        _ some: (path: String, node: StoredNode)?, _ device: Device
    ) async throws {
        let action = "basket.restore-previous"
        guard storage.isUp, let some, let item = some.node.identifier?.rawValue,
            try device.host.actions(for: [some.node.id]).contains(where: {
                $0.identifier.rawValue == action
            })
        else { return }
        let (present, former) = try storage.contents(of: item)
        do {
            try await choose(action, of: some, device)
            // What was on its way there may have come first, and is what was put back then.
            let after = storage.isUp ? try storage.contents(of: item) : nil
            for text in after?.present.sorted() ?? former.map(\.text) { books.restored(text) }
            // And was put back over what came then.
            let known = present.union(former.map(\.text))
            for text in after?.former.map(\.text) ?? [] where !known.contains(text) {
                books.removed(text)
            }
        } catch {
            // Whatever was lost was the answer, perhaps.
            for text in former.map(\.text) { books.restored(text) }
            for text in present.sorted() { books.removed(text) }
            throw error
        }
    }
}
