import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

// What must hold when nothing more is to happen.
extension Scenario {
    func check(
        _ devices: [Device], _ storage: any Storage, _ books: Books
    ) async throws {
        let tree = try storage.tree()
        var kept: Set<String> = []
        for device in devices {
            for sql in try await device.walks() {
                complain("\(device.name) walks over all nodes: \(sql)")
            }
            try await device.browse(withTrash: run.habits.knowTrash)
            kept.formUnion(try await device.textsKeptHere())
            // Nobody refuses anything here, so that there is nothing to be rescued.
            for rescued in try device.replica.read({ try $0.rescued(limit: 10) }) {
                complain("\(rescued.path) was put aside on \(device.name): \(rescued.reason)")
            }
            var seen: [String: String] = [:]
            for (path, node) in try device.nodes() where node.exclusion == .no {
                do {
                    seen[path] = try await device.words(of: node)
                    try lookAtRest(path, node, device)
                } catch {
                    complain("\(path) cannot be read on \(device.name): \(error)")
                    try tellAll(of: device)
                }
            }
            if seen != tree { try tellAll(of: device) }
            for path in Set(seen.keys).union(tree.keys).sorted() where seen[path] != tree[path] {
                complain(
                    "\(path) is \(tree[path] ?? "nothing") there, and \(seen[path] ?? "nothing") on \(device.name)"
                )
            }
        }
        if run.habits != .first { try checkVersions(storage, books, Array(tree.values)) }
        let there = try storage.texts().union(kept)
        for text in books.mustBeThere.sorted() where !there.contains(text) {
            complain("lost: \(text)")
        }
    }

    /// What must hold of a file when nothing more is to happen.
    private func lookAtRest(_ path: String, _ before: StoredNode, _ device: Device) throws {
        guard run.habits != .first, before.kind == .file, !path.hasPrefix("trash:"),
            let node = try device.replica.read({ try $0.node(before.id) })
        else { return }
        let policy = try device.replica.read { try $0.policy(of: node.id) }
        if policy == .downloadEagerlyAndKeepDownloaded, before.residence != .whole {
            complain("\(path) is pinned on \(device.name), and is \(before.residence)")
        }
    }

    /// What must hold of all that was written.
    private func checkVersions(
        _ storage: any Storage, _ books: Books, _ texts: [String]
    ) throws {
        for (text, base) in try storage.descents() where !books.knew(text, of: base) {
            complain("whoever wrote \(text) is said to have known \(base)")
        }
        let written = texts.filter(books.mustBeThereOnce.contains)
        for text in Set(written).sorted() where written.filter({ $0 == text }).count > 1 {
            complain("it was written once, and is there more often: \(text)")
        }
    }

    /// Everything that its replica knows, for whoever looks for the mistake.
    func tellAll(of device: Device) throws {
        func words(_ entry: Entry?) -> String {
            guard let entry else { return "-" }
            let bounced = entry.isBounced ? " bounced" : ""
            return "\(entry.parent.rawValue)/\(entry.name) \(entry.kind) \(entry.content)\(bounced)"
        }
        for node in try device.replica.read({ try $0.all() }) where node.id.rawValue > 2 {
            let trees = node.trees
            if trees.isSettled && node.turn == nil && getenv("ALL") == nil { continue }
            let trouble = try device.replica.read { try $0.trouble(of: node.id) }
            let step = try device.host.plan(for: node.id)
            complain(
                """
                \(device.name) #\(node.id.rawValue) \(node.identifier?.rawValue ?? "?")\
                 local \(words(trees.local)) synced \(words(trees.synced))\
                 remote \(words(trees.remote)) turn \(node.turn ?? 0)\
                 waits \(node.waits?.rawValue ?? 0)\(node.isUnanswered ? " unanswered" : "")\
                 \(step.map { "\($0)" } ?? "")\
                 \(trouble.map { "\($0.domain) \($0.code) \($0.attempts)" } ?? "")
                """)
        }
    }
}
