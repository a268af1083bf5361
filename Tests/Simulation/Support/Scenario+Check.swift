import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

// What must hold when nothing more is to happen.
extension Scenario {
    func check(
        _ devices: [Device], _ storage: any Storage, _ books: Books
    ) async throws {
        var kept: Set<String> = []
        var texts: [String] = []
        var domains: Set<[String: String]> = []
        for device in devices {
            let tree = try storage.tree(for: device.name)
            if domains.insert(tree).inserted { texts += tree.values }
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
            if run.habits >= .third { try compareDetails(device, storage) }
            if seen != tree { try tellAll(of: device) }
            for path in Set(seen.keys).union(tree.keys).sorted() where seen[path] != tree[path] {
                complain(
                    "\(path) is \(tree[path] ?? "nothing") there, and \(seen[path] ?? "nothing") on \(device.name)"
                )
            }
        }
        if run.habits != .first {
            try lookAtDescents(devices, storage, books, "when all was quiet")
            checkVersions(books, texts)
        }
        if run.habits >= .third { try checkMetadata(devices, storage, books) }
        let everything = try storage.texts()
        for text in everything.sorted() where !Self.isNoFile(text) && !books.isKnown(text) {
            complain("nobody has ever written: \(text)")
        }
        let there = everything.union(kept)
        for text in books.mustBeThere.sorted() where !there.contains(text) {
            complain("lost: \(text)")
        }
    }

    /// Folders and links have words in place of a text.
    private static func isNoFile(_ text: String) -> Bool {
        text == "/" || text.hasPrefix("→ ")
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

    /// Everybody is told the same of every item.
    private func compareDetails(_ device: Device, _ storage: any Storage) throws {
        let there = try storage.details(for: device.name)
        for (path, node) in try device.nodes() where node.exclusion == .no {
            guard let details = try device.details(of: node.id), let other = there[path] else {
                continue
            }
            for difference in details.differences(from: other) {
                complain("of \(path), \(difference) on \(device.name)")
            }
        }
    }

    /// What somebody said last of an item, and nobody else touched, is there.
    private func checkMetadata(
        _ devices: [Device], _ storage: any Storage, _ books: Books
    ) throws {
        var items: [String: ItemDetails] = [:]
        var texts: [String: String] = [:]
        for device in devices {
            try books.metadata.resolve(device.name) { id in
                try device.replica.read { try $0.node(id)?.identifier?.rawValue }
            }
            let tree = try storage.tree(for: device.name)
            for (path, details) in try storage.details(for: device.name) {
                items[details.identifier] = details
                texts[details.identifier] = tree[path]
            }
        }
        if books.hasOffers { return }
        let missing = books.metadata.missing(
            text: { texts[$0] },
            present: { key in items[key.item].map { $0.fields[key.field] ?? "-" } })
        for (key, value, present) in missing {
            complain("somebody said \(key.field) \(value) of \(key.item), and it is \(present)")
        }
    }

    /// What must hold of all that was written.
    private func checkVersions(_ books: Books, _ texts: [String]) {
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
