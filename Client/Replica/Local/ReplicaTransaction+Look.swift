import BasketDatabase
import BasketSupport

// What is there, or the reason why not.
extension ReplicaTransaction {
    /// A node of the local tree.
    package func local(_ id: NodeID) throws -> (node: StoredNode, entry: Entry) {
        guard let node = try reader.node(id), let entry = node.trees.local else {
            throw LocalError.notFound
        }
        return (node, entry)
    }

    /// A folder that new things may be put into.
    func folder(_ id: NodeID) throws -> StoredNode {
        let (node, entry) = try local(id)
        guard entry.kind == .folder else { throw LocalError.notAFolder }
        return node
    }

    func requireFree(_ name: String, in parent: NodeID, for id: NodeID? = nil) throws {
        // Linux takes any name that its disks do; what a provider refuses, it refuses itself.
        if let problem = CaseRule.posix.problem(with: name) { throw LocalError.badName(problem) }
        if let holder = try reader.child(name, of: parent), holder.id != id {
            throw LocalError.exists(holder.id)
        }
    }
}
