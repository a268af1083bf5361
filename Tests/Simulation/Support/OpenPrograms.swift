import BasketSupport
import FileProviderHost
import FileProviderReplica
import Synchronization

/// Programs that keep files open for a while: they read the rest later, or write over what they have read.
final class OpenPrograms: Sendable {
    private struct Reading {
        let device: String
        let file: OpenFile
        let first: [UInt8]
        /// Another program of the same device has written to it meanwhile, as it may.
        var isWritten = false
    }

    private struct Editing {
        let device: Device
        let file: OpenFile
        /// What was in it when it was opened, and what other programs of the device have written since then.
        var texts: [String]
    }

    private let state = Mutex((readings: [Reading](), editings: [Editing]()))

    /// The device is switched off, and its programs with it.
    func end(on device: Device) {
        state.withLock { state in
            state.readings.removeAll { $0.device == device.name }
            state.editings.removeAll { $0.device.name == device.name }
        }
    }

    /// All of them close what they have open, and write nothing more.
    func closeAll() async {
        let (readings, editings) = state.withLock { state in
            defer { state = ([], []) }
            return state
        }
        for reading in readings { try? await reading.file.close() }
        for editing in editings { try? await editing.file.close() }
    }

    func wrote(_ text: String, to id: NodeID, on device: Device) {
        state.withLock { state in
            for index in state.editings.indices
            where state.editings[index].device.name == device.name
                && state.editings[index].file.node == id
            {
                state.editings[index].texts.append(text)
            }
            for index in state.readings.indices
            where state.readings[index].device == device.name
                && state.readings[index].file.node == id
            {
                state.readings[index].isWritten = true
            }
        }
    }

    /// Reads the beginning of a file, and keeps it open.
    func beginReading(_ id: NodeID, on device: Device) async throws {
        let file = try await device.open(id, for: .reading)
        do {
            let first = try await file.read(at: 0, count: 5)
            state.withLock { state in
                state.readings.append(Reading(device: device.name, file: file, first: first))
            }
        } catch {
            try await file.close()
            throw error
        }
    }

    /// Reads the rest of what was opened first.
    /// - Returns: what it was, if it must be something that somebody has written.
    func endReading() async throws -> String? {
        let reading = state.withLock { $0.readings.isEmpty ? nil : $0.readings.removeFirst() }
        guard let reading else { return nil }
        do {
            let size = try reading.file.size
            let start = Int64(reading.first.count)
            let rest = try await reading.file.read(at: start, count: Int(max(0, size - start)))
            try await reading.file.close()
            if reading.isWritten { return nil }
            return Passage.text(of: reading.first + rest)
        } catch {
            try await reading.file.close()
            throw error
        }
    }

    /// Reads a file, and keeps it open.
    func beginEditing(_ id: NodeID, on device: Device) async throws {
        let file = try await device.open(id, for: .writing)
        do {
            let bytes = try await file.read(at: 0, count: Int(file.size))
            let text = Passage.text(of: bytes)
            state.withLock {
                $0.editings.append(Editing(device: device, file: file, texts: [text]))
            }
        } catch {
            try await file.close()
            throw error
        }
    }

    /// Writes over what was opened first, and closes it, now and then after a while.
    /// - Returns: the device and the node, and what was there before; nil when nobody will see it.
    func endEditing(
        with text: String, pause: Int
    ) async throws -> (device: Device, node: NodeID, before: [String])? {
        let editing = state.withLock { $0.editings.isEmpty ? nil : $0.editings.removeFirst() }
        guard let editing else { return nil }
        let bytes = Passage.bytes(of: text)
        do {
            try await editing.file.change { try $0.write(Array(bytes[..<4]), at: 0) }
            if pause > 0 { try await editing.device.wait(seconds: pause) }
            try await editing.file.change { file in
                try file.write(Array(bytes[4...]), at: 4)
                try file.resize(to: Int64(bytes.count))
            }
            wrote(text, to: editing.file.node, on: editing.device)
            try await editing.file.close()
        } catch {
            try await editing.file.close()
            throw error
        }
        if editing.file.isRemoved { return nil }
        return (editing.device, editing.file.node, editing.texts)
    }
}
