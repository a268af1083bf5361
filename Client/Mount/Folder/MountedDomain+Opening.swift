import BasketSupport
import FileProviderHost
import FileProviderReplica
import Glibc

// All who have a number open have the same bytes open: to the kernel, a number has no others.
extension MountedDomain {
    /// What somebody has opened just now.
    struct Opened {
        let file: OpenFile
        let handle: UInt64
        /// Whether the kernel has no other bytes of it.
        let keepsCache: Bool
    }

    static let mostAttempts = 8
    /// From a name to what it leads to, the kernel takes no longer.
    private static let longestWay = Duration.seconds(1)

    /// - Throws: `LocalError.notFound` where the number is not, or cannot stay, that of what the node holds now: by its name, it
    ///   has another one by then.
    func open(
        _ number: UInt64, _ access: FileAccess, _ caller: Caller
    ) async throws -> Opened {
        var attempts = 0
        while true {
            guard let id = numbers.node(number) else {
                return try await openAgain(number, access, caller)
            }
            let count = host.replica.changes.count
            let file: OpenFile
            do {
                // It is emptied once it is known whose it is.
                file = try await host.open(
                    id, for: access == .replacing ? .writing : access,
                    by: programs.program(of: caller.process))
            } catch LocalError.notFound {
                return try await openAgain(number, access, caller)
            }
            // What has not begun to come may be something else by then.
            let holds = file.seen.file != nil && view.holds(file.seen, as: number)
            attempts += 1
            guard numbers.node(number) == id, let handle = handles.add(file, as: number) else {
                // It has become another node's just now, or others go on with what it held.
                if numbers.node(number) == id, attempts >= Self.mostAttempts || !isShown(id, number)
                {
                    renew(number)
                }
                try await file.close()
                continue
            }
            if host.replica.changes.count != count, attempts < Self.mostAttempts,
                !file.isCurrent || file.node != id
            {
                // Others have changed it just now, and whoever tells the kernel of it may not have seen this one.
                _ = try await release(handle)
                continue
            }
            return try await opened(file, handle, number, access, holds: holds)
        }
    }

    private func opened(
        _ file: OpenFile, _ handle: UInt64, _ number: UInt64, _ access: FileAccess, holds: Bool
    ) async throws -> Opened {
        if access == .replacing {
            do {
                try await file.resize(to: 0)
                await noteChange(of: file, openedAs: number)
            } catch {
                _ = try? await release(handle)
                throw error
            }
        }
        if view.known(number)?.facts.status.size != (try? file.size) {
            // The kernel reads no further than it knows.
            news?.forgetStatus(of: number)
        }
        return Opened(
            file: file, handle: handle, keepsCache: holds || handles.isClean(number))
    }

    /// What somebody has open, and no name leads to, another one opens who was given it.
    private func openAgain(
        _ number: UInt64, _ access: FileAccess, _ caller: Caller
    ) async throws -> Opened {
        let known = view.known(number)
        // Somebody may have come by its name still, and is to look anew.
        let isLeft = known?.left.map { world.uptime() - $0 > Self.longestWay } ?? true
        guard isLeft, known?.place == nil,
            let file = handles.file(openedAs: number)?.again(
                for: access, by: programs.program(of: caller.process))
        else { throw LocalError.notFound }
        guard let handle = handles.add(file, as: number) else {
            try await file.close()
            throw LocalError.notFound
        }
        return try await opened(file, handle, number, access, holds: false)
    }

    /// Whether those who have a number open have what its node holds now: who has opened something else has seen what was
    /// so a moment ago, and looks again.
    func isShown(_ id: NodeID, _ number: UInt64) -> Bool {
        // Where nobody has it open any more, there is room for whoever looks again.
        guard let file = handles.file(openedAs: number) else { return true }
        return file.isCurrent && file.node == id
    }

    /// Others go on with what they have open by a number, and the node has another one.
    func renew(_ number: UInt64) {
        guard let node = numbers.node(number), numbers.renew(number) else { return }
        view.noteLeft(number, at: world.uptime())
        news?.forgetStatus(of: number)
        news?.forgetName(of: number)
        news?.look(at: [node])
    }

    /// By what the kernel may be told how a node is: another number than so far where somebody goes on with what it held.
    func presentNumber(of node: StoredNode) -> UInt64 {
        let number = numbers.number(of: node.id)
        guard node.kind == .file, let file = handles.file(openedAs: number),
            let known = view.known(number),
            KernelView.Facts(node, known.facts.status).differsInBytes(from: known.facts),
            !file.isCurrent || file.node != node.id
        else { return number }
        renew(number)
        return numbers.number(of: node.id)
    }
}
