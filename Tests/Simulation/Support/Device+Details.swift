import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

extension Device {
    /// What is said here of a node.
    func details(of id: NodeID) throws -> ItemDetails? {
        guard let node = try replica.read({ try $0.node(id) }), let entry = node.trees.local
        else { return nil }
        let attributes = entry.attributes
        return ItemDetails(
            identifier: node.identifier?.rawValue ?? "",
            size: node.kind == .file ? node.size : nil, modified: attributes.modified,
            tags: ItemDetails.tags(of: attributes.tags), flags: attributes.flags.rawValue,
            favourite: attributes.favoriteRank, extended: attributes.extended)
    }

    /// A node, and everything in it.
    func subtree(of id: NodeID) throws -> [StoredNode] {
        try replica.read { reader in
            var found: [StoredNode] = []
            var open = [id]
            while let next = open.popLast() {
                guard let node = try reader.node(next) else { continue }
                found.append(node)
                open += try reader.children(of: next, limit: 10_000).map(\.id)
            }
            return found
        }
    }

    /// What stays on this device, by the names that it has or had elsewhere.
    func keptHere() throws -> [String] {
        try replica.read { try $0.all() }.filter { $0.exclusion != .no }.flatMap { node in
            [node.trees.local?.name, node.trees.synced?.name, node.trees.remote?.name]
                .compactMap(\.self)
        }
    }

    /// What stays on this device, and was given to the provider as well, which has put it somewhere else.
    func textsHandedOver() throws -> [String] {
        try replica.read { try $0.all() }.compactMap { node in
            guard node.exclusion != .no, node.trees.local?.content == .handedOver,
                let file = node.file, replica.contents.exists(file)
            else { return nil }
            let bytes = try replica.contents.open(file).read(at: 0, count: Int(node.size))
            return Passage.text(of: bytes)
        }
    }

    /// What stays on this device, and was written here.
    func textsStaying() throws -> [String] {
        try replica.read { try $0.all() }.compactMap { node in
            guard node.exclusion != .no, node.trees.local?.content.isEdit == true,
                let file = node.file, replica.contents.exists(file)
            else { return nil }
            let bytes = try replica.contents.open(file).read(at: 0, count: Int(node.size))
            return Passage.text(of: bytes)
        }
    }

    /// What was asked for to be made, and is not known to have been.
    func textsUnanswered() throws -> [String] {
        try replica.read { try $0.all() }.compactMap { node in
            guard node.isUnanswered, node.identifier == nil, let file = node.file,
                replica.contents.exists(file)
            else { return nil }
            let bytes = try replica.contents.open(file).read(at: 0, count: Int(node.size))
            return Passage.text(of: bytes)
        }
    }

    /// By the provider's names, items of which it was told something, and is not known to have heard it.
    func itemsUnheard() throws -> [String] {
        try replica.read { try $0.all() }.compactMap { node in
            node.unheard.isEmpty ? nil : node.identifier?.rawValue
        }
    }

    /// What was written here and is nowhere else, as it lies on the disk.
    func textsHere() throws -> [String] {
        let files: [Int64] = try replica.read { reader in
            try reader.db.all(
                """
                SELECT file FROM node WHERE file IS NOT NULL UNION
                SELECT file FROM rescued UNION SELECT file FROM found
                """
            ) { row throws(SQLiteError) in try row[0] }
        }
        return try files.filter(replica.contents.exists).map { number in
            let file = try replica.contents.open(number)
            return Passage.text(of: try file.read(at: 0, count: Int(file.size())))
        }
    }

    /// What was written here is never given up before the provider has it.
    func givenUp() throws -> [String] {
        try nodes().compactMap { path, node in
            guard node.kind == .file, node.trees.local?.content.isEdit == true, node.size > 0
            else { return nil }
            if node.residence != .whole { return "\(path) is \(node.residence)" }
            guard let file = node.file, replica.contents.exists(file) else {
                return "\(path) has no file"
            }
            return nil
        }
    }

    /// Files that are to be removed, though all is quiet.
    func undiscarded() throws -> [String] {
        let files: [Int64] = try replica.read { reader in
            try reader.db.all("SELECT file FROM discarded") { row throws(SQLiteError) in
                try row[0]
            }
        }
        return files.map { "somebody holds contents/\($0) on \(name)" }
    }

    /// What does not agree of all that it has stored.
    func problems() async throws -> [String] {
        var check = ReplicaCheck(of: replica)
        return try await check.run().map { problem in
            "\(name) finds #\(problem.node?.rawValue ?? 0): \(problem.text)"
        }
    }

    /// Files that nobody names any more. It is switched off.
    func leftovers() async throws -> [String] {
        let replica = try Connection(path: folder + "/replica.db", mode: .reader)
        let named: Set<Int64> = Set(
            try replica.all(
                """
                SELECT file FROM node WHERE file IS NOT NULL UNION
                SELECT basis FROM node WHERE basis IS NOT NULL UNION
                SELECT file FROM rescued UNION SELECT file FROM found
                """
            ) { row throws(SQLiteError) in try row[0] })
        var problems: [String] = []
        let contents = folder + "/contents"
        for part in try disk.list(contents) {
            for name in (try? disk.list("\(contents)/\(part)")) ?? [] {
                if Int64(name).map(named.contains) != true {
                    problems.append("contents/\(part)/\(name) is nobody's on \(self.name)")
                }
            }
        }
        let temporary = folder + "/temporary"
        guard disk.exists(temporary) else { return problems }
        for name in try disk.list(temporary) {
            problems.append("temporary/\(name) is nobody's on \(self.name)")
        }
        return problems
    }
}
