import BasketSupport
import CLinux
import FileProviderHost
import FileProviderReplica
import Glibc

// Files that programs have open.
extension MountedDomain {
    func open(_ id: NodeID, _ mode: OpenMode, _ caller: Caller) async throws -> FuseReply {
        let moment = view.moment
        let file = try await host.open(
            id, for: access(mode), by: programs.program(of: caller.process))
        if host.isCutOff, !(mode.writes && mode.truncates) {
            do {
                try await requireContent(of: file)
            } catch {
                try? await file.close()
                throw error
            }
        }
        // What the kernel has of it may be all that is ever read.
        file.noteSeen()
        return .opened(
            OpenHandle(number: handles.add(file, of: id, since: moment), keepsCache: true))
    }

    /// Who opens what cannot be had is told so at once, and not when it reads: few programs know what to do then.
    private func requireContent(of file: OpenFile) async throws {
        let size = try file.size
        guard size > 0, try file.sourceNow(of: 0..<size) == nil else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Perhaps it is over, and nobody has noticed.
            group.addTask { _ = try await file.source(of: 0..<1) }
            group.addTask { [world] in
                try await world.sleep(Self.patienceWhenCutOff)
                throw Refusal(EHOSTUNREACH)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static let patienceWhenCutOff = Duration.seconds(2)

    private func access(_ mode: OpenMode) -> FileAccess {
        if !mode.writes { return .reading }
        return mode.truncates ? .replacing : .writing
    }

    func create(
        _ name: String, in folder: NodeID, _ permissions: Permissions, _ mode: OpenMode,
        _ caller: Caller
    ) async throws -> FuseReply {
        try await listOnce(folder)
        let moment = view.moment
        let program = programs.maker(caller.process)
        var attributes = EntryAttributes.made(.file, at: world.now())
        permissions.note(in: &attributes, .file)
        let file: OpenFile
        do {
            file = try await host.create(name, in: folder, attributes: attributes, by: program)
        } catch LocalError.exists(let id) where caller.isRepeated {
            file = try await host.open(id, for: .writing, by: program)
        } catch LocalError.exists(let id) where !mode.isExclusive {
            // It has come since the kernel was told that there is none.
            file = try await host.open(id, for: access(mode), by: program)
        }
        let handle = handles.add(file, of: file.node, since: moment)
        do {
            let isKnown = view.known(file.node) != nil
            let entry = try file.made.map(tell) ?? entry(of: file.node)
            // Who had the name a moment ago has it back, with what is written now: the kernel has its old bytes.
            if isKnown { await news?.forgetContent(of: file.node) }
            return .created(entry, OpenHandle(number: handle, keepsCache: true))
        } catch {
            // Nobody else would close it, and what is open to be written to is not sent.
            abandon(handle)
            throw error
        }
    }

    // MARK: Reading and writing

    private func reader(_ id: NodeID, _ handle: UInt64, _ caller: Caller) async throws -> OpenFile {
        if let file = handles.file(handle) { return file }
        return try await openAnew(id, .reading, handle, caller)
    }

    func writer(_ id: NodeID, _ handle: UInt64, _ caller: Caller) async throws -> OpenFile {
        if let file = handles.file(handle), file.isForWriting { return file }
        return try await openAnew(id, .writing, handle, caller)
    }

    /// What a process before this one had opened.
    private func openAnew(
        _ id: NodeID, _ access: FileAccess, _ handle: UInt64, _ caller: Caller
    ) async throws -> OpenFile {
        let moment = view.moment
        let file = try await host.open(
            id, for: access, by: programs.program(of: caller.process))
        if let other = handles.set(file, of: id, since: moment, at: handle) {
            try? await other.close()
        }
        return file
    }

    func read(
        _ id: NodeID, _ handle: UInt64, at offset: Int64, count: Int, _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await reader(id, handle, caller)
        let size = try file.size
        let range =
            min(offset, size)..<min(offset + min(Int64(count), size - min(offset, size)), size)
        guard let source = try await file.source(of: range) else { return .bytes([]) }
        return .part(source, at: range.lowerBound, count: range.count)
    }

    /// The kernel keeps what was read for whoever reads next. Who has had the file open since before others changed it
    /// goes on with what was in it then: that nobody else may find.
    func forgetOutdated(_ range: Range<Int64>, readAt handle: UInt64, of id: NodeID) {
        let now = view.moment
        guard let opened = handles.opened(handle), opened.moment != now else { return }
        if view.wasForgotten(id, since: opened.moment), !opened.file.isCurrent {
            news?.forgetOutdated(range, of: id)
        } else {
            handles.note(now, at: handle)
        }
    }

    func write(
        _ id: NodeID, _ handle: UInt64, _ bytes: [UInt8], at offset: Int64, appends: Bool,
        _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await writer(id, handle, caller)
        let range = offset..<offset + Int64(bytes.count)
        var count = bytes.count
        if appends, !caller.isRepeated {
            let start: Int64
            (start, count) = try await file.append(bytes)
            // The kernel knows where a node's file ends, and that may be another one than this.
            if start != offset { news?.forgetOutdated(range, of: id) }
        } else {
            try await file.write(bytes, at: offset)
        }
        noteChange(of: file, openedAs: id, in: range)
        view.note(.writing, to: id)
        return .written(count)
    }

    /// Where a file was saved by way of another one, who has that open writes into the first one: of its bytes, the kernel
    /// knows nothing then.
    private func noteChange(of file: OpenFile, openedAs id: NodeID, in range: Range<Int64>) {
        if file.node != id { news?.forgetOutdated(range, of: file.node) }
    }

    func release(_ handle: UInt64) async throws -> FuseReply {
        try await handles.remove(fileAt: handle)?.close()
        return .done
    }

    func synchronise(
        _ id: NodeID, _ handle: UInt64, _ caller: Caller
    ) async throws -> FuseReply {
        if let file = handles.file(handle) {
            try await file.synchronise()
        } else {
            try await host.replica.synchronise(id)
        }
        return .done
    }

    func seek(
        _ id: NodeID, _ handle: UInt64, from offset: Int64, forHole: Bool, _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await reader(id, handle, caller)
        let size = try file.size
        guard offset >= 0, offset < size else { throw Refusal(ENXIO) }
        // What is not here may be anything but a hole.
        let data = try file.sourceNow(of: offset..<size)?.data(in: offset..<size) ?? [offset..<size]
        if forHole {
            guard let first = data.first, first.lowerBound <= offset else {
                return .position(offset)
            }
            return .position(first.upperBound)
        }
        guard let first = data.first else { throw Refusal(ENXIO) }
        return .position(max(offset, first.lowerBound))
    }

    func allocate(
        _ id: NodeID, _ handle: UInt64, _ range: Range<Int64>, mode: Int32, _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await writer(id, handle, caller)
        try await file.change { file in
            guard let descriptor = file.descriptor else { throw Refusal(EOPNOTSUPP) }
            guard allocateRoom(descriptor, mode, range) == 0 else {
                throw FileError("allocate room in", "the file", code: errno)
            }
        }
        noteChange(of: file, openedAs: id, in: range)
        return .done
    }
}

private func allocateRoom(_ descriptor: Int32, _ mode: Int32, _ range: Range<Int64>) -> Int32 {
    basket_allocate(descriptor, mode, range.lowerBound, Int64(range.count))
}
