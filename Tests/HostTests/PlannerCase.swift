import FileProvider
import FileProviderReplica
import Foundation

@testable import FileProviderHost

/// One combination that the planner may meet.
struct PlannerCase: CustomStringConvertible {
    let trees: NodeTrees
    let around: Surroundings

    var description: String { "\(trees) amid \(around)" }

    static let base = Entry(
        parent: NodeID(rawValue: 10), name: "name", kind: .file,
        content: .version(Data([1])))

    private static func changed(_ change: (inout Entry) -> Void) -> Entry {
        var entry = base
        change(&entry)
        return entry
    }

    /// What a person, or another device, may have made of the base.
    private static func variants(_ content: EntryContent, kind: NodeKind) -> [Entry] {
        func entry(_ change: (inout Entry) -> Void) -> Entry {
            var entry = Entry(
                parent: base.parent, name: base.name, kind: kind,
                content: kind == .file ? base.content : .none)
            change(&entry)
            return entry
        }
        var found = [
            entry { _ in },
            entry { $0.name = "other" },
            entry { $0.parent = NodeID(rawValue: 11) },
            entry { $0.attributes.tags = Data([7]) },
            entry {
                $0.name = "other"
                $0.parent = NodeID(rawValue: 11)
                $0.attributes.flags = []
            },
        ]
        if kind == .file {
            found.append(entry { $0.content = content })
            found.append(
                entry {
                    $0.content = content
                    $0.name = "third"
                })
        }
        return found
    }

    private static func locals(_ kind: NodeKind) -> [Entry?] {
        let entries = variants(.edit(1), kind: kind)
        let bounced = entries.map { entry in
            var entry = entry
            entry.name = "name 2"
            entry.isBounced = true
            return entry
        }
        return [nil] + entries + bounced
    }

    private static func remotes(_ kind: NodeKind) -> [Entry?] {
        let other: NodeKind = kind == .file ? .folder : .file
        return [nil] + variants(.version(Data([2])), kind: kind)
            + [variants(.version(Data([3])), kind: other)[0]]
    }

    static let all: [PlannerCase] = {
        var found: [PlannerCase] = []
        for kind in [NodeKind.file, .folder] {
            let synced = variants(.none, kind: kind)[0]
            for local in locals(kind) {
                for remote in remotes(kind) {
                    for synced in [nil, synced] {
                        let trees = NodeTrees(local: local, synced: synced, remote: remote)
                        found += surroundings(kind).map { PlannerCase(trees: trees, around: $0) }
                    }
                }
            }
        }
        return found
    }()

    private static func surroundings(_ kind: NodeKind) -> [Surroundings] {
        let children = kind == .folder ? Surroundings.Children.allCases : [.none]
        var found: [Surroundings] = []
        for upstream in Surroundings.Upstream.allCases {
            for downstream in Surroundings.Downstream.allCases {
                for upstreamHolder in Surroundings.NameHolder.allCases {
                    for downstreamHolder in Surroundings.NameHolder.allCases {
                        for localChildren in children {
                            for remoteChildren in children {
                                var around = Surroundings()
                                around.upstream = upstream
                                around.downstream = downstream
                                around.upstreamHolder = upstreamHolder
                                around.downstreamHolder = downstreamHolder
                                around.localChildren = localChildren
                                around.remoteChildren = remoteChildren
                                found.append(around)
                            }
                        }
                    }
                }
            }
        }
        return found
    }
}
