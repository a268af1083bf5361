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

    private static let pause = RetryPause(longest: Trouble.longestWait)
    /// How often it is looked whether a trouble that nobody has said to be resolved is over.
    static let probe = Duration.seconds(60)
    /// Another name may do where many attempts were made with the first one.
    private static let pauseForOther = RetryPause(longest: probe)

    private var reader: ReplicaReader { transaction.reader }

    func apply(_ error: any Error, to call: PreparedCall) throws {
        guard try call.isStillAbout(reader.node(call.node)) else { return }
        switch Reaction(error) {
        case .retry, .anchorExpired, .unsupported, .cancelled: try note(error, call.node, .later)
        case .awaitResolution:
            if Self.isRefusal(error), case .create = call.kind, !call.isRepeated {
                // Nothing was made. Of what was asked before, nobody knows.
                try forgetPlaceAsked(call)
            }
            try note(error, call.node, .probe)
        case .excluded:
            if try !exclude(call) { try note(error, call.node, .soon) }
        case .collision: try note(error, call.node, rename(call) ? .soon : .later)
        case .missing(let identifier):
            try note(error, call.node, missing(identifier, call) ? .soon : .later)
        case .conflicting: try note(error, call.node, settleConflict(call) ? .soon : .later)
        case .deletionRejected: try note(error, call.node, comeBack(call) ? .soon : .later)
        }
    }

    /// Whether the provider has heard what it was asked for, and has not done it.
    private static func isRefusal(_ error: any Error) -> Bool {
        guard let known = NSFileProviderError(bridging: error) else { return false }
        return known.code == .insufficientQuota || known.code == .cannotSynchronize
    }

    /// When it is tried again.
    private enum Retry {
        /// At once, because it is something else that is tried. Not for ever, though.
        case soon
        case later
        case probe
    }

    private static let mostSoon = 4

    private func note(_ error: any Error, _ id: NodeID, _ retry: Retry) throws {
        guard let node = try reader.node(id), node.turn != nil else { return }
        let known = try reader.trouble(of: id)
        // That nobody could be reached for a while is no reason to wait once somebody can be.
        let isFirstAnswer = retry == .soon && known?.isOfTheConnection == true
        let attempts = isFirstAnswer ? 1 : (known?.attempts ?? 0) + 1
        let wait: Duration =
            switch retry {
            case .soon where attempts <= Self.mostSoon: .zero
            case .soon: Self.pauseForOther.after(failures: attempts, jitter: jitter)
            case .later: Self.pause.after(failures: attempts, jitter: jitter)
            case .probe: RetryPause.jittered(Self.probe, by: jitter)
            }
        try transaction.set(
            Trouble(
                error, since: known?.since ?? transaction.now, attempts: attempts,
                retry: transaction.now + wait), for: id)
    }

    /// It is not called for now, because of what has become of others.
    func putOff(_ id: NodeID, because error: any Error, for pause: Duration) throws {
        guard let node = try reader.node(id), node.turn != nil else { return }
        let known = try reader.trouble(of: id)
        try transaction.set(
            Trouble(
                error, since: known?.since ?? transaction.now, attempts: known?.attempts ?? 1,
                retry: transaction.now + pause), for: id)
    }

    /// It comes back as the provider has it.
    private func comeBack(_ call: PreparedCall) throws -> Bool {
        guard let before = try reader.node(call.node) else { return false }
        if before.exclusion != .no, before.trees.local != nil {
            // It was to stay here alone, but somebody goes on with it there.
            try transaction.split(before)
            return true
        }
        try transaction.update(call.node) { node in
            if node.trees.local == nil { node.trees.synced = nil }
        }
        return try reader.node(call.node)?.trees != before.trees
    }

    /// It stays here, and goes from the provider where that has it.
    /// - Returns: false where it was about another name than it has by now.
    private func exclude(_ call: PreparedCall) throws -> Bool {
        if let local = try reader.node(call.node)?.trees.local, !local.isAt(call.sent),
            !local.isBounced, try !reader.isAside(call.sent, call.node)
        {
            try forgetPlaceAsked(call)
            return false
        }
        try transaction.forgetTrouble(of: call.node)
        try transaction.endOffer(of: call.node)
        try transaction.update(call.node) { node in
            guard node.trees.local != nil else {
                // It was removed here meanwhile. What the provider has of it is deleted still.
                node.isUnanswered = false
                if node.trees.remote == nil { node.trees = NodeTrees() }
                return
            }
            node.stay(because: .byProvider)
        }
        return true
    }

    /// It is not there, wherever it was asked for.
    @discardableResult
    private func forgetPlaceAsked(_ call: PreparedCall) throws -> StoredNode? {
        try transaction.update(call.node) { node in
            if case .create = call.kind { node.unheard = [] }
            node.isUnanswered = false
        }
    }

    /// Ours gets another name: it is the one that nobody else has seen under this one.
    private func rename(_ call: PreparedCall) throws -> Bool {
        guard let before = try reader.node(call.node) else { return false }
        guard let local = before.trees.local else {
            // It was taken away here while it was made. A name that is taken was said, so nothing was made.
            guard case .create = call.kind else { return false }
            try transaction.update(call.node) { $0.trees = NodeTrees() }
            return true
        }
        let refused = try forgetPlaceAsked(call)
        // Somebody has put it somewhere else meanwhile, or its folder stays here by now.
        guard local.isAt(call.sent) || local.isBounced,
            try !reader.staysHere(in: local.parent)
        else { return true }
        // Who has the name may be about to leave it, which was not known when this was sent.
        if let refused {
            switch try reader.neighbours(of: refused).around.upstreamHolder {
            case .leaving, .deleted, .circle: return true
            case .nobody, .settled: break
            }
        }
        let name = try reader.standIn(
            for: call.sent.name, in: local.parent, for: call.node, isFreeThere: true)
        try transaction.update(call.node) { node in
            node.trees.local?.name = name
            node.trees.local?.isBounced = false
        }
        return true
    }

    /// Both are kept: what somebody else wrote under the name, and what was written here beside it.
    private func settleConflict(_ call: PreparedCall) throws -> Bool {
        guard case .modify(let base, let options) = call.kind,
            let before = try reader.node(call.node)
        else { return false }
        var node = before
        if options.contains(.failOnConflict) {
            // The extension decides what becomes of them.
            node.request.options.remove(.failOnConflict)
            try transaction.save(node, before: before)
            return true
        }
        if call.contents != nil, before.trees.local?.content == call.sent.content {
            try transaction.setAsideConflict(before)
            return true
        }
        guard let newest = before.remoteMetadata, newest != base.metadataVersion else {
            // What the others have changed is told soon.
            return false
        }
        node.syncedMetadata = newest
        try transaction.save(node, before: before)
        return true
    }

    private func missing(
        _ identifier: NSFileProviderItemIdentifier?, _ call: PreparedCall
    ) throws -> Bool {
        let parent = call.template.parentItemIdentifier
        if call.suspect(identifier) == parent {
            // The folder is gone there. What lies in it here is worth making it again for.
            guard let folder = try reader.id(of: parent), folder != .root, folder != .trash else {
                return false
            }
            try transaction.update(folder) { node in
                node.trees.remote = nil
                if node.exclusion != .no { node.loseCounterpart() }
            }
            return true
        }
        // Gone there. What was written to it here makes it come back as a new item.
        try transaction.update(call.node) { $0.loseRemote() }
        return true
    }
}
