import FileProvider
import FileProviderReplica
import Foundation

// Room for other things.
extension DomainHost {
    /// Lets go of the bytes of a file, or of all that lies in a folder and then of the folder's list, as far as the
    /// provider has them; what was to come of them does not. It ends at the first that has to stay; what went before is
    /// gone. What the device itself goes by, and what nobody else is to have, stays with the lists of the folders that it
    /// lies in, and ends nothing.
    ///
    /// - Parameter place: where people see an item, for the error that names it.
    package func evict(
        _ id: NodeID, seenAt place: (NodeID) -> URL? = { _ in nil }
    ) async throws {
        guard let node = try replica.read({ try $0.node(id) }), node.trees.local != nil else {
            throw LocalError.notFound
        }
        // What lies in it stays as well.
        if node.exclusion != .no { throw refusal(.onlyHere, id, place) }
        guard node.kind == .folder else {
            let open = openContents
            // Whoever opens it meanwhile has it open before it goes, or finds it gone.
            let reason: ReasonToKeep? = try await replica.makeRoom { transaction in
                open.isOpen(id) ? .inUse : try transaction.evict(id)
            }
            if let reason { throw refusal(reason, id, place) }
            return
        }
        guard let (obstacle, reason) = try await evictAll(in: id) else { return }
        let error = refusal(reason, obstacle, place)
        if obstacle == id { throw error }
        var facts = facts(of: id, place)
        facts[NSError.underlyingErrorsKey] = [error]
        facts[NSLocalizedDescriptionKey] = error.localizedDescription
        throw NSFileProviderError(.nonEvictableChildren, userInfo: facts)
    }

    /// - Returns: what has to stay, and why; nil when nothing had to.
    private func evictAll(in folder: NodeID) async throws -> (NodeID, ReasonToKeep)? {
        var folders = [folder]
        var staying: Set<NodeID> = []
        var index = 0
        while index < folders.count {
            var last: String?
            while true {
                let (parent, start) = (folders[index], last)
                let children = try replica.read {
                    try $0.children(of: parent, after: start, limit: 500)
                }
                guard let newest = children.last else { break }
                last = newest.trees.local?.name
                let inner = children.filter { $0.kind == .folder }
                folders += inner.filter { $0.exclusion == .no }.map(\.id)
                if inner.contains(where: { $0.exclusion != .no }) { staying.insert(parent) }
                let files = children.filter {
                    $0.kind == .file
                        && ($0.residence != .dataless || $0.isWanted || $0.basis != nil)
                }
                let part = try await evict(files)
                if let obstacle = part.obstacle { return obstacle }
                if part.isStaying { staying.insert(parent) }
            }
            index += 1
        }
        for id in staying { staying.formUnion(try replica.read { try $0.folders(around: id) }) }
        let going = folders.filter { !staying.contains($0) }
        // Those that lie in others come before them.
        for part in Array(going.reversed()).parts(of: 500) {
            let obstacle: (NodeID, ReasonToKeep)? = try await replica.write { transaction in
                for id in part {
                    if let reason = try transaction.evictList(of: id) { return (id, reason) }
                }
                return nil
            }
            if let obstacle { return obstacle }
        }
        return nil
    }

    /// What has to stay of some files, and why.
    private struct PartEvicted: Sendable {
        var obstacle: (NodeID, ReasonToKeep)?
        /// Whether there is something among them that the device goes by.
        var isStaying = false
    }

    private func evict(_ files: [StoredNode]) async throws -> PartEvicted {
        let open = openContents
        return try await replica.makeRoom { transaction in
            var part = PartEvicted()
            for file in files {
                if open.isOpen(file.id) {
                    // Of what is not here, nobody waits in vain for what they want to read.
                    if file.residence == .dataless { continue }
                    part.obstacle = (file.id, .inUse)
                    break
                }
                let reason = try transaction.evict(file.id)
                if reason == .rules || reason == .onlyHere {
                    part.isStaying = true
                } else if let reason {
                    part.obstacle = (file.id, reason)
                    break
                }
            }
            return part
        }
    }

    private func refusal(
        _ reason: ReasonToKeep, _ id: NodeID, _ place: (NodeID) -> URL?
    ) -> any Error {
        var facts = facts(of: id, place)
        let path = try? replica.read { try $0.path(of: id) }.joined(separator: "/")
        let what = path.map { "“\($0)”" } ?? "It"
        func described(_ words: String) -> [String: Any] {
            facts[NSLocalizedDescriptionKey] = "\(what) \(words)"
            return facts
        }
        return switch reason {
        case .unsynced:
            NSFileProviderError(
                .unsyncedEdits, userInfo: described("has not been sent to the provider yet."))
        case .onlyHere:
            NSFileProviderError(
                .excludedFromSync,
                userInfo: described("stays on this device, and nobody else has it."))
        case .pinned:
            NSFileProviderError(.nonEvictable, userInfo: described("is kept on this device."))
        case .rules:
            NSFileProviderError(.nonEvictable, userInfo: described("is what the device goes by."))
        case .inUse:
            NSError(
                domain: NSPOSIXErrorDomain, code: Int(EBUSY),
                userInfo: described("is open in a program."))
        }
    }

    /// Which item it is: by its identifier, where the provider has given it one, and where people see it.
    private func facts(of id: NodeID, _ place: (NodeID) -> URL?) -> [String: Any] {
        var facts: [String: Any] = [:]
        facts[NSFileProviderErrorItemKey] = try? replica.read { try $0.node(id)?.identifier }
        facts[NSURLErrorKey] = place(id)
        return facts
    }
}

extension NSError {
    /// As Foundation calls it where there is Objective-C.
    static let underlyingErrorsKey = "NSMultipleUnderlyingErrorsKey"
}
