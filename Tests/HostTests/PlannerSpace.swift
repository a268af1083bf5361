import FileProvider
import FileProviderReplica
import Foundation

@testable import FileProviderHost

/// All that the planner may meet: each state of a node's three trees amid each of its surroundings, and each state
/// of whatever else is known of the node. What nobody looks at is not enumerated: a node that lies at the same place on both
/// sides asks for no name.
enum PlannerSpace {
    private static let home = NodeID(rawValue: 10)
    private static let elsewhere = NodeID(rawValue: 11)
    /// Where only the provider puts anything.
    private static let third = NodeID(rawValue: 12)

    /// - Parameter body: called with each of them that has those trees.
    static func forEach(_ trees: NodeTrees, _ body: (PlannerCase) -> Void) {
        let node = node(trees)
        for around in surroundings(of: node) {
            body(PlannerCase(node: node, around: around))
        }
        inEachState(trees, body)
    }

    // MARK: Trees

    /// As both sides agreed.
    static func base(_ kind: NodeKind) -> Entry {
        Entry(parent: home, name: "name", kind: kind, content: contents(kind)[0])
    }

    /// What was agreed on, and what a provider may have made of it.
    private static func contents(_ kind: NodeKind) -> [EntryContent] {
        switch kind {
        case .file: [.version(Data([1])), .version(Data([2]))]
        case .folder: [.none]
        case .symlink: [.target("there"), .target("elsewhere")]
        }
    }

    private static func localContents(_ kind: NodeKind) -> [EntryContent] {
        kind == .file ? [contents(.file)[0], .edit(1)] : contents(kind)
    }

    private static func entries(
        _ kind: NodeKind, _ contents: [EntryContent], names: [String],
        parents: [NodeID] = [home, elsewhere], tags: [Data?] = [nil, Data([7])]
    ) -> [Entry] {
        var found: [Entry] = []
        for content in contents {
            for name in names {
                for parent in parents {
                    for tags in tags {
                        var entry = base(kind)
                        entry.content = content
                        entry.name = name
                        entry.parent = parent
                        entry.attributes.tags = tags
                        found.append(entry)
                    }
                }
            }
        }
        return found
    }

    private static func locals(_ kind: NodeKind) -> [Entry?] {
        let wanted = entries(kind, localContents(kind), names: ["name", "other"])
        let bounced = entries(kind, localContents(kind), names: ["name 2"], tags: [nil]).map {
            var entry = $0
            entry.isBounced = true
            return entry
        }
        return [nil] + wanted + bounced
    }

    private static func remotes(_ kind: NodeKind) -> [Entry?] {
        let others = [NodeKind.file, .folder, .symlink].filter { $0 != kind }
        // A symlink is planned as a file is that is whole.
        let names = kind == .symlink ? ["name", "third"] : ["name", "other", "third"]
        // Both sides may have moved it, and said something of it: to the same, or to something else each.
        return [nil]
            + entries(
                kind, contents(kind), names: names, parents: [home, elsewhere, third],
                tags: [nil, Data([7]), Data([8])])
            + others.map { base($0) }
    }

    static func trees(_ kind: NodeKind) -> [NodeTrees] {
        var found: [NodeTrees] = []
        for local in locals(kind) {
            for synced in [nil, base(kind)] {
                for remote in remotes(kind) {
                    found.append(NodeTrees(local: local, synced: synced, remote: remote))
                }
            }
        }
        return found
    }

    static func node(_ trees: NodeTrees) -> StoredNode {
        var node = StoredNode(id: NodeID(rawValue: 9), trees: trees)
        node.residence = .whole
        node.isListed = true
        return node
    }

    // MARK: Around it

    /// Those that are looked up for it.
    static func surroundings(of node: StoredNode) -> [Surroundings] {
        let (local, remote) = (node.trees.local, node.trees.remote)
        let isElsewhere =
            remote.map { remote in
                local.map { ($0.parent, $0.name) != (remote.parent, remote.name) } ?? true
            } ?? false
        let isFolder = node.kind == .folder
        return surroundings[
            Looked(
                up: local != nil, down: isElsewhere,
                inside: isFolder && remote == nil && local != nil,
                insideThere: isFolder && remote != nil && (local == nil || node.exclusion != .no))
        ] ?? []
    }

    private struct Looked: Hashable {
        var up: Bool
        var down: Bool
        var inside: Bool
        var insideThere: Bool
    }

    private static let surroundings: [Looked: [Surroundings]] = {
        var found: [Looked: [Surroundings]] = [:]
        let both = [false, true]
        for up in both {
            for down in both {
                for inside in both {
                    for insideThere in both {
                        let looked = Looked(
                            up: up, down: down, inside: inside, insideThere: insideThere)
                        found[looked] = surroundings(looked)
                    }
                }
            }
        }
        return found
    }()

    private static func surroundings(_ looked: Looked) -> [Surroundings] {
        var found = [Surroundings()]
        func vary<Value: CaseIterable>(
            _ isLookedAt: Bool, _ path: WritableKeyPath<Surroundings, Value>
        ) {
            guard isLookedAt else { return }
            found = found.flatMap { around in
                Value.allCases.map { value in
                    var other = around
                    other[keyPath: path] = value
                    return other
                }
            }
        }
        vary(looked.up, \.upstream)
        vary(looked.up, \.upstreamHolder)
        vary(looked.down, \.downstream)
        vary(looked.down, \.downstreamHolder)
        vary(looked.inside, \.localChildren)
        vary(looked.insideThere, \.remoteChildren)
        return found
    }

    // MARK: What else is known of it

    private static let exclusions: [Exclusion] = [
        .no, .byProvider, .byRule, .byFolder, .leftOver, .leaving,
    ]
    private static let requests: [NSFileProviderItemFields] = [
        [], .contents, [.filename, .tagData],
    ]

    /// Whether each state is put amid each of the surroundings, hundreds of millions of cases; else they change from one
    /// state to the next, so that all of them come with each state of the trees, and with each of the rest.
    static let isWhole = ProcessInfo.processInfo.environment["BASKET_PLANNER"] == "whole"

    private static func inEachState(_ trees: NodeTrees, _ body: (PlannerCase) -> Void) {
        var turn = 0
        for node in states(of: trees) {
            turn += 7
            let around = surroundings(of: node)
            for around in isWhole ? around[...] : around[(turn % around.count)...].prefix(1) {
                var known = PlannerCase(node: node, around: around)
                known.around.isUnanswered = node.isUnanswered
                body(known)
                // What was asked for is looked for only where it may be.
                guard node.isUnanswered, node.exclusion == .no, around.isHeldUpThere,
                    trees.local == nil || trees.synced == nil, trees.remote == nil
                else { continue }
                known.around.mayBeElsewhere = true
                body(known)
            }
        }
    }

    static func states(of trees: NodeTrees) -> [StoredNode] {
        var found: [StoredNode] = []
        for var node in residences(of: trees) {
            for exclusion in trees.local == nil ? [.no] : exclusions {
                node.exclusion = exclusion
                for request in requests {
                    node.request.fields = request
                    for muted in [[], NSFileProviderItemFields.tagData, .contents] {
                        node.muted = muted
                        for isUnanswered in [false, true] {
                            node.isUnanswered = isUnanswered
                            found.append(node)
                        }
                    }
                }
            }
        }
        return found
    }

    /// Of a file more or less may be here, and of a folder it may not be known what is in it.
    private static func residences(of trees: NodeTrees) -> [StoredNode] {
        let node = node(trees)
        var other = node
        switch node.kind {
        case .symlink: return [node]
        case .folder:
            other.isListed = false
            return [node, other]
        case .file:
            // What was written here is here.
            if trees.local?.content.isEdit == true { return [node] }
            other.residence = .dataless
            var third = node
            third.residence = .partial
            return [node, other, third]
        }
    }
}
