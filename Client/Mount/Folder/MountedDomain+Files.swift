import BasketSupport
import CLinux
import FileProviderHost
import FileProviderReplica
import Glibc

// Files that programs have open.
extension MountedDomain {
    func open(_ number: UInt64, _ mode: OpenMode, _ caller: Caller) async throws -> FuseReply {
        let (file, opened) = try await open(number, access(mode), caller)
        if host.isCutOff, !(mode.writes && mode.truncates) {
            do {
                try await requireContent(of: file)
            } catch {
                _ = try? await release(opened.handle)
                throw error
            }
        }
        // Where others have it open, they have the same open, and the kernel has none of what was there before. It would
        // have to wait for what they read.
        let keepsCache = !opened.isAlone || holds(file, as: number)
        // What the kernel has of it may be all that is ever read.
        if keepsCache { file.noteSeen() }
        return .opened(OpenHandle(number: opened.handle, keepsCache: keepsCache))
    }

    /// Whether the kernel has no other bytes than those, and nobody will get others.
    private func holds(_ file: OpenFile, as number: UInt64) -> Bool {
        let seen = file.seen
        // What has not begun to come may be something else by then.
        return seen.file != nil && view.holds(seen, as: number)
    }

    /// - Throws: `LocalError.notFound` where the number is not, or cannot stay, that of what the node holds now: by its name, it
    ///   has another one by then.
    func open(
        _ number: UInt64, _ access: FileAccess, _ caller: Caller
    ) async throws -> (file: OpenFile, opened: (handle: UInt64, isAlone: Bool)) {
        while true {
            let id = try node(number)
            let file = try await host.open(
                id, for: access, by: programs.program(of: caller.process))
            // It may have become another node's just now.
            guard numbers.node(number) == id else {
                try await file.close()
                continue
            }
            if let opened = handles.add(file, as: number) { return (file, opened) }
            renew(number)
            try await file.close()
        }
    }

    /// Others go on with what they have open by a number, and the node has another one.
    func renew(_ number: UInt64) {
        guard let node = numbers.node(number), numbers.renew(number) else { return }
        news?.forgetName(of: number)
        news?.look(at: [node])
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
        let program = programs.maker(caller.process)
        var attributes = EntryAttributes.made(.file, at: world.now())
        permissions.note(in: &attributes, .file)
        do {
            let file = try await host.create(name, in: folder, attributes: attributes, by: program)
            return try created(file, as: numbers.number(of: file.node))
        } catch LocalError.exists(let id) where caller.isRepeated || !mode.isExclusive {
            // By the process before, or since the kernel was told that there is none.
            return try await created(id, caller.isRepeated ? .writing : access(mode), caller)
        }
    }

    private func created(
        _ id: NodeID, _ access: FileAccess, _ caller: Caller
    ) async throws -> FuseReply {
        while true {
            let number = numbers.number(of: id)
            do {
                let (file, opened) = try await open(number, access, caller)
                return try created(file, as: number, opened)
            } catch LocalError.notFound where numbers.number(of: id) != number {
                // Somebody has just put another one in its place.
            }
        }
    }

    /// Nobody had it open, or knows it.
    private func created(_ file: OpenFile, as number: UInt64) throws -> FuseReply {
        guard let opened = handles.add(file, as: number) else {
            _ = world.spawn { try? await file.close() }
            throw LocalError.stale
        }
        return try created(file, as: number, opened)
    }

    private func created(
        _ file: OpenFile, as number: UInt64, _ opened: (handle: UInt64, isAlone: Bool)
    ) throws -> FuseReply {
        do {
            let holds =
                !opened.isAlone || file.made != nil || self.holds(file, as: number)
            let entry = try file.made.map(tell) ?? entry(of: file.node)
            return .created(entry, OpenHandle(number: opened.handle, keepsCache: holds))
        } catch {
            // Nobody else would close it, and what is open to be written to is not sent.
            abandon(opened.handle)
            throw error
        }
    }

    // MARK: Reading and writing

    private func reader(
        _ number: UInt64, _ handle: UInt64, _ caller: Caller
    ) async throws -> OpenFile {
        if let file = handles.file(handle) { return file }
        return try await openAnew(number, .reading, handle, caller)
    }

    func writer(_ number: UInt64, _ handle: UInt64, _ caller: Caller) async throws -> OpenFile {
        if let file = handles.file(handle), file.isForWriting { return file }
        return try await openAnew(number, .writing, handle, caller)
    }

    /// What a process before this one had opened.
    private func openAnew(
        _ number: UInt64, _ access: FileAccess, _ handle: UInt64, _ caller: Caller
    ) async throws -> OpenFile {
        let id = try node(number)
        let file = try await host.open(
            id, for: access, by: programs.program(of: caller.process))
        if let other = handles.set(file, as: number, at: handle) {
            try? await other.close()
        }
        return file
    }

    func read(
        _ number: UInt64, _ handle: UInt64, at offset: Int64, count: Int, _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await reader(number, handle, caller)
        let size = try file.size
        let range =
            min(offset, size)..<min(offset + min(Int64(count), size - min(offset, size)), size)
        guard let source = try await file.source(of: range) else { return .bytes([]) }
        return .part(source, at: range.lowerBound, count: range.count)
    }

    func write(
        _ number: UInt64, _ handle: UInt64, _ bytes: [UInt8], at offset: Int64, appends: Bool,
        _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await writer(number, handle, caller)
        var count = bytes.count
        if appends, !caller.isRepeated {
            let start: Int64
            (start, count) = try await file.append(bytes)
            // What the kernel knows of where it ends is a moment old.
            if start != offset {
                news?.forget(offset..<offset + Int64(bytes.count), of: number)
            }
        } else {
            try await file.write(bytes, at: offset)
        }
        noteChange(of: file, openedAs: number)
        view.note(.writing, to: number)
        return .written(count)
    }

    /// Who goes on with what others have replaced, and changes it, has it be a node's once more. By its name, the kernel finds
    /// what they have written.
    func noteChange(of file: OpenFile, openedAs number: UInt64) {
        let id = file.node
        guard numbers.number(of: id) != number, !file.isRemoved else { return }
        if let other = numbers.node(number) {
            // Others have changed it just now, and what it was is beside it.
            numbers.exchange(id, other, isKnown: view.mayKnow)
            view.set(other, of: numbers.number(of: other))
            news?.forgetName(of: number)
            news?.look(at: [id, other])
        } else if let old = numbers.adopt(number, for: id) {
            news?.forgetName(of: old)
            news?.look(at: [id])
        }
        view.set(id, of: number)
    }

    func release(_ handle: UInt64) async throws -> FuseReply {
        try await handles.remove(fileAt: handle)?.close()
        return .done
    }

    func synchronise(_ number: UInt64, _ handle: UInt64) async throws -> FuseReply {
        if let file = handles.file(handle) {
            try await file.synchronise()
        } else {
            try await host.replica.synchronise(node(number))
        }
        return .done
    }

    func seek(
        _ number: UInt64, _ handle: UInt64, from offset: Int64, forHole: Bool, _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await reader(number, handle, caller)
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
        _ number: UInt64, _ handle: UInt64, _ range: Range<Int64>, mode: Int32, _ caller: Caller
    ) async throws -> FuseReply {
        let file = try await writer(number, handle, caller)
        try await file.change { file in
            guard let descriptor = file.descriptor else { throw Refusal(EOPNOTSUPP) }
            guard allocateRoom(descriptor, mode, range) == 0 else {
                throw FileError("allocate room in", "the file", code: errno)
            }
        }
        noteChange(of: file, openedAs: number)
        return .done
    }
}

private func allocateRoom(_ descriptor: Int32, _ mode: Int32, _ range: Range<Int64>) -> Int32 {
    basket_allocate(descriptor, mode, range.lowerBound, Int64(range.count))
}
