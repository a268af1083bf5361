import BasketSupport
import FileProvider
import FileProviderReplica

// What people read, and what is to be here as soon as there is time.
extension DomainHost {
    /// Somebody wants what is in a file or a folder: it comes when a test runs that.
    func waitForTest(_ id: NodeID, _ range: Range<Int64>? = nil, by program: Program?) async throws
    {
        while try !isHere(id, range) {
            try await testing.wait(for: Demand(node: id, range: range, program: program)) {
                replica.changes.poke()
            }
        }
    }

    private func isHere(_ id: NodeID, _ range: Range<Int64>?) throws -> Bool {
        try replica.read { reader in
            guard let node = try reader.node(id), let local = node.trees.local else {
                throw LocalError.notFound
            }
            switch local.kind {
            case .folder: return node.isListed
            case .symlink: return true
            case .file:
                guard node.residence != .whole, let range else { return node.residence == .whole }
                let known = range.clamped(to: 0..<max(0, node.size))
                return try node.residence == .partial && reader.ranges(of: id).contains(known)
            }
        }
    }

    func wantedContents() throws -> [TestingOperation] {
        let demanded = Set(testing.demands.map(\.node))
        return try replica.read { reader in
            let wanted = try reader.wanted(limit: .max)
            let ids = demanded.subtracting(wanted).sorted() + wanted
            return try ids.compactMap { id in
                guard let node = try reader.node(id), let identifier = node.identifier else {
                    return nil
                }
                return node.kind == .folder
                    ? ChildrenEnumerationOperation(.wanted(id), identifier)
                    : ContentFetchOperation(.wanted(id), identifier)
            }
        }
    }

    func bringWanted(_ id: NodeID) async throws {
        let demands = testing.demands.filter { $0.node == id }
        let node = try replica.read { try $0.node(id) }
        guard let node, !demands.isEmpty || node.isWanted else { throw HostError.outdated }
        do {
            try await calls.whenSettled { try await bring(node, demands) }
            testing.answer(id, .success(()))
        } catch {
            testing.answer(id, .failure(error))
            throw error
        }
    }

    private func bring(_ node: StoredNode, _ demands: [Demand]) async throws {
        let id = node.id
        if node.kind == .folder {
            try await once(id, isDone: \.isListed) { try await self.workingSet.list(id) }
            if node.isWanted { try await replica.write { try $0.wantChildren(of: id) } }
            return
        }
        let ranges = demands.compactMap(\.range)
        let program = demands.lazy.compactMap(\.program).first
        guard !node.isWanted, ranges.count == demands.count, calls.givesParts else {
            return try await once(id) { node in
                node.residence == .whole
            } work: {
                try await self.fetch(id, by: program, in: .reading)
            }
        }
        for range in ranges { try await parts.fetch(range, of: id, by: program) }
    }
}
