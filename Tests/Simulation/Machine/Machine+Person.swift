import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica

// What the person at the machine does with the domain `work`.
extension Machine {
    func write(_ text: String, named name: String, in folder: NodeID) async throws {
        let file = try await host("work").create(name, in: folder, by: Self.editor)
        try await file.write(Array(text.utf8), at: 0)
        try await file.close()
    }

    func rewrite(_ path: String, _ text: String) async throws {
        let file = try await host("work").open(node(path), for: .replacing, by: Self.editor)
        try await file.write(Array(text.utf8), at: 0)
        try await file.close()
    }

    func read(_ path: String) async throws -> String {
        let file = try await host("work").open(node(path), for: .reading, by: Self.editor)
        let bytes = try await file.read(at: 0, count: Int(file.size))
        try await file.close()
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let editor = Program(name: "editor")

    func stored(_ path: String) throws -> StoredNode {
        let id = try node(path)
        guard let node = try host("work").replica.read({ try $0.node(id) }) else {
            throw LocalError.notFound
        }
        return node
    }

    func node(_ path: String) throws -> NodeID {
        try host("work").replica.read { try node(path, $0) }
    }

    func node(_ path: String, _ reader: ReplicaReader) throws -> NodeID {
        try path.split(separator: "/").reduce(NodeID.root) { folder, name in
            guard let child = try reader.child(String(name), of: folder) else {
                throw LocalError.notFound
            }
            return child.id
        }
    }

    /// All that is seen in it.
    func paths() throws -> [String] {
        try host("work").replica.read { reader in
            var found: [String] = []
            func walk(_ folder: NodeID, _ prefix: String) throws {
                for child in try reader.children(of: folder, limit: 10_000) {
                    let path = prefix + (child.trees.local?.name ?? "?")
                    found.append(path)
                    if child.kind == .folder { try walk(child.id, path + "/") }
                }
            }
            try walk(.root, "")
            return found.sorted()
        }
    }
}
