import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// Takes in that a call failed. What people have changed here stays, whatever the error.
struct ErrorApplication {
    let transaction: ReplicaTransaction
    /// Between zero and one, drawn by who calls.
    let jitter: Double

    private static let firstWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(600)
    /// How often it is looked whether a trouble that nobody has said to be resolved is over.
    private static let probe = Duration.seconds(60)

    private var reader: ReplicaReader { transaction.reader }

    func apply(_ error: any Error, to call: PreparedCall) throws {
        try release(call)
        guard try call.isStillAbout(reader.node(call.node)) else { return }
        switch Reaction(error) {
        case .cancelled: return
        case .retry, .anchorExpired: try note(error, call.node, isResolvable: false)
        case .awaitResolution, .excluded: try note(error, call.node, isResolvable: true)
        case .collision: try rename(call)
        case .missing(let identifier): try missing(identifier, call)
        case .deletionRejected:
            // It comes back as the provider has it.
            try transaction.update(call.node) { node in
                if node.trees.local == nil { node.trees.synced = nil }
            }
        }
    }

    /// Nobody reads the file any more. Whether a new item was made, nobody knows.
    private func release(_ call: PreparedCall) throws {
        try transaction.update(call.node) { node in
            if call.contents != nil { node.isFrozen = false }
        }
    }

    private func note(_ error: any Error, _ id: NodeID, isResolvable: Bool) throws {
        let known = try reader.trouble(of: id)
        let attempts = (known?.attempts ?? 0) + 1
        let doubled = Self.firstWait * (1 << min(attempts - 1, 12))
        let wait = isResolvable ? Self.probe : min(doubled, Self.longestWait)
        let stored = error as NSError
        try transaction.set(
            Trouble(
                domain: stored.domain, code: stored.code, message: stored.localizedDescription,
                since: known?.since ?? transaction.now, attempts: attempts,
                retry: transaction.now + wait / 2 + wait / 2 * jitter), for: id)
    }

    /// Ours gets another name: it is the one that nobody else has seen under this one.
    private func rename(_ call: PreparedCall) throws {
        guard let before = try reader.node(call.node), let local = before.trees.local,
            local.name == call.sent.name
        else { return }
        let names = BouncedName(local.name)
        var index = 0
        while try isTaken(names.candidate(index), in: local.parent) { index += 1 }
        try transaction.update(call.node) { node in
            node.trees.local?.name = names.candidate(index)
            node.trees.local?.isBounced = false
            node.isUnanswered = false  // A name that is taken was said, so nothing was made.
        }
    }

    private func isTaken(_ name: String, in parent: NodeID) throws -> Bool {
        if try reader.child(name, of: parent) != nil { return true }
        return try transaction.db.value(
            "SELECT 1 FROM node WHERE remoteParent = ? AND remoteKey = ?", parent,
            transaction.rule.collisionKey(of: name), of: Int.self) != nil
    }

    private func missing(
        _ identifier: NSFileProviderItemIdentifier?, _ call: PreparedCall
    ) throws {
        let isCreation = if case .create = call.kind { true } else { false }
        let parent = call.template.parentItemIdentifier
        if isCreation || identifier == parent {
            // The folder is gone there. What lies in it here is worth making it again for.
            if let folder = try reader.id(of: parent), folder != .root, folder != .trash {
                try transaction.update(folder) { $0.trees.remote = nil }
            }
            return
        }
        // Gone there. What was written to it here makes it come back as a new item.
        try transaction.update(call.node) { node in
            node.trees.remote = nil
            if node.trees.local == nil { node.trees = NodeTrees() }
        }
    }
}
