import BasketSupport
import CLinux
import FileProviderHost
import FileProviderReplica
import Glibc

// Files that programs have open.
extension MountedDomain {
    func open(_ number: UInt64, _ mode: OpenMode, _ caller: Caller) async throws -> FuseReply {
        let opened = try await open(number, access(mode), caller)
        if host.isCutOff, !mode.truncates {
            do {
                try await requireContent(of: opened.file)
            } catch {
                _ = try? await release(opened.handle)
                throw error
            }
        }
        let length: KernelView.LengthAtOpening
        do {
            length = try self.length(of: opened, number, mode, caller)
        } catch {
            abandon(opened.handle)
            throw error
        }
        if length == .isDoubtful {
            // Whatever is on its way to the kernel with an older length comes too late, then. It looks once more, by the name.
            news?.forgetStatus(of: number)
            _ = try? await release(opened.handle)
            throw LengthInDoubt()
        }
        // What the kernel has of it may be all that is ever read.
        if opened.keepsCache { opened.file.noteSeen() }
        return .opened(
            OpenHandle(
                number: opened.handle, keepsCache: opened.keepsCache,
                isDirect: length == .isStillDoubtful))
    }

    private func length(
        of opened: Opened, _ number: UInt64, _ mode: OpenMode, _ caller: Caller
    ) throws -> KernelView.LengthAtOpening {
        if mode.truncates {
            view.noteCut(to: 0, of: number)
            return .isKnown
        }
        return view.open(
            number, try opened.file.size, by: caller.process, at: world.uptime())
    }

    /// Who opens what cannot be had is told so at once, and not when it reads: few programs know what to do then.
    private func requireContent(of file: OpenFile) async throws {
        let size = try file.size
        guard size > 0, try file.sourceNow(of: 0..<size) == nil else { return }
        try await cutOffPatience.ask { _ = try await file.source(of: 0..<1) }
    }

    private func access(_ mode: OpenMode) -> FileAccess {
        // Whoever opens a file only to read it may empty it with that.
        if mode.truncates { return .replacing }
        return mode.writes ? .writing : .reading
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
            // Nobody has it open, or knows the number.
            guard let handle = handles.add(file, as: numbers.number(of: file.node)) else {
                try await file.close()
                throw LocalError.stale
            }
            let reply = try created(Opened(file: file, handle: handle, keepsCache: true))
            // No process before this one has told of it.
            view.noteCut(to: 0, of: numbers.number(of: file.node))
            return reply
        } catch LocalError.exists(let id) where caller.isRepeated || !mode.isExclusive {
            // By the process before, or since the kernel was told that there is none.
            return try await open(id, caller.isRepeated ? .writing : access(mode), caller)
        }
    }

    private func open(
        _ id: NodeID, _ access: FileAccess, _ caller: Caller
    ) async throws -> FuseReply {
        while true {
            let number = numbers.number(of: id)
            do {
                return try created(try await open(number, access, caller))
            } catch LocalError.notFound where numbers.number(of: id) != number {
                // Somebody has just put another one in its place.
            }
        }
    }

    private func created(_ opened: Opened) throws -> FuseReply {
        do {
            let file = opened.file
            let entry = try file.made.map(tell) ?? entry(of: file.node)
            return .created(
                entry, OpenHandle(number: opened.handle, keepsCache: opened.keepsCache))
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
        if let file = use(handle) { return file }
        return try await openAnew(number, .reading, handle, caller)
    }

    func writer(_ number: UInt64, _ handle: UInt64, _ caller: Caller) async throws -> OpenFile {
        if let file = use(handle), file.isForWriting { return file }
        return try await openAnew(number, .writing, handle, caller)
    }

    private func use(_ handle: UInt64) -> OpenFile? {
        guard let (file, cleaned) = handles.use(handle) else { return nil }
        if let cleaned { view.noteOwn(bytesOf: cleaned) }
        return file
    }

    /// What a process before this one had opened.
    private func openAnew(
        _ number: UInt64, _ access: FileAccess, _ handle: UInt64, _ caller: Caller
    ) async throws -> OpenFile {
        var attempts = 0
        while true {
            attempts += 1
            let id = try node(number)
            let file = try await host.open(
                id, for: access, by: programs.program(of: caller.process))
            let (isSet, before) =
                numbers.node(number) == id
                ? handles.set(file, as: number, at: handle) : (false, nil)
            try? await before?.close()
            if isSet { return file }
            try await file.close()
            if numbers.node(number) == id, attempts >= Self.mostAttempts || !isShown(id, number) {
                renew(number)
            }
        }
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
        await noteChange(of: file, openedAs: number)
        view.note(.writing, to: number)
        view.noteWritten(upTo: offset + Int64(count), of: number)
        return .written(count)
    }

    /// Who goes on with what others have replaced, and changes it, has it be a node's once more. By its name, the kernel finds
    /// what they have written.
    func noteChange(of file: OpenFile, openedAs number: UInt64) async {
        if file.isRemoved { view.set(modified: world.now(), of: number) }
        // What the kernel has written is what it has: it stays that when it is sent, whoever has it open.
        if !view.isWhole, !file.isRemoved { view.noteWritten(file.seen, of: number) }
        guard numbers.number(of: file.node) != number, !file.isRemoved else { return }
        // Whoever is interrupted notes it with the next change.
        try? await file.whileHeld { id in
            switch numbers.take(number, for: id, isKnown: view.mayKnow) {
            case .isSo: break
            case .from(let old):
                view.set(id, of: number)
                news?.forgetName(of: old)
                news?.look(at: [id])
            case .exchanged(let other):
                // Others have changed it just now, and what it was is beside it.
                view.set(id, of: number)
                view.set(other, of: numbers.number(of: other))
                news?.forgetName(of: number)
                news?.look(at: [id, other])
            }
        }
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
        await noteChange(of: file, openedAs: number)
        view.noteWritten(upTo: range.upperBound, of: number)
        return .done
    }
}

private func allocateRoom(_ descriptor: Int32, _ mode: Int32, _ range: Range<Int64>) -> Int32 {
    basket_allocate(descriptor, mode, range.lowerBound, Int64(range.count))
}
