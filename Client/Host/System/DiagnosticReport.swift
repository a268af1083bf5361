import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// All that is known of an item, for whoever has to find out what is wrong with it. Names are in it, and no
/// contents.
package struct DiagnosticReport: Codable, Sendable {
    /// What one of the trees says.
    package struct Tree: Codable, Sendable {
        package let parent: Int64
        package let name: String
        let isStandIn: Bool
        let kind: String
        /// Which bytes it holds, or where it leads, in words; nil of a folder.
        package let content: String?
        let attributes: String

        init(_ entry: Entry) {
            parent = entry.parent.rawValue
            name = entry.name
            isStandIn = entry.isBounced
            kind = "\(entry.kind)"
            content = entry.content.words
            attributes = "\(entry.attributes)"
        }
    }

    package struct Problem: Codable, Sendable {
        let domain: String
        let code: Int
        let message: String
    }

    package let item: String
    let node: Int64
    let path: [String]
    /// Why it was asked for; nil when somebody just wants to know.
    let reason: Problem?
    package let local: Tree?
    package let synced: Tree?
    package let remote: Tree?
    let size: Int64
    let here: Int64
    let residence: String
    let exclusion: String
    let isUnanswered: Bool
    let isFrozen: Bool
    let isWanted: Bool
    /// Since when something is to be done, by the replica's own count, what that is, and for whom it waits.
    let turn: Int64?
    let step: String
    let waits: Int64?
    let trouble: Problem?
    let attempts: Int?
    let stage: String

    init(of node: StoredNode, because reason: (any Error)?, _ reader: ReplicaReader) throws {
        item = node.identifier?.rawValue ?? ""
        self.node = node.id.rawValue
        path = try reader.path(of: node.id)
        self.reason = (reason as NSError?).map {
            Problem(domain: $0.domain, code: $0.code, message: $0.localizedDescription)
        }
        local = node.trees.local.map(Tree.init)
        synced = node.trees.synced.map(Tree.init)
        remote = node.trees.remote.map(Tree.init)
        size = node.size
        here = node.here
        residence = "\(node.residence)"
        exclusion = "\(node.exclusion)"
        isUnanswered = node.isUnanswered
        isFrozen = node.isFrozen
        isWanted = node.isWanted
        turn = node.turn
        step = "\(Planner.step(for: node, try reader.neighbours(of: node).around))"
        waits = node.waits?.rawValue
        let known = try reader.trouble(of: node.id)
        trouble = known.map { Problem(domain: $0.domain, code: $0.code, message: $0.message) }
        attempts = known?.attempts
        stage = "\(try reader.stage())"
    }

    /// As JSON.
    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self))
        }
    }
}
