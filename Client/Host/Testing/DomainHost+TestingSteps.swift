import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

// The plan's steps, one by one.
extension DomainHost {
    /// Who is noted to wait may have others looked at that were looked at before.
    private static let mostRounds = 100

    func plannedSteps() async throws -> [TestingOperation] {
        let rules = try await ignoreLists.refreshed()
        let (removals, open, contents) = (removals, openContents, replica.contents)
        return try await replica.write { transaction in
            let steps = LocalSteps(
                transaction: transaction, rules: rules, removals: removals, open: open)
            var found: [Outlook] = []
            for _ in 0..<Self.mostRounds {
                // Whether a test tries again what has failed is the test's to say.
                let asking = try transaction.reader.nextTurns(
                    at: Timestamp(nanoseconds: .max), limit: .max)
                found = try asking.compactMap { try steps.outlook(for: $0) }
                if found.count == asking.count { break }
            }
            let maker = TestingStepMaker(transaction: transaction, contents: contents)
            var turned: Set<NodeID> = []
            return try found.compactMap { next in
                // Who changes places with others does that together with them.
                guard !turned.contains(next.node.id) else { return nil }
                if next.isTurn { turned.formUnion(next.neighbours.circle) }
                return try maker.operation(for: next)
            }
        }
    }

    func take(_ step: Step, _ id: NodeID, _ trees: NodeTrees) async throws {
        let rules = try await ignoreLists.refreshed()
        let (removals, open) = (removals, openContents)
        let next = { @Sendable (transaction: ReplicaTransaction) throws -> (LocalSteps, Outlook)? in
            let steps = LocalSteps(
                transaction: transaction, rules: rules, removals: removals, open: open)
            guard let next = try steps.outlook(for: id), next.shownStep == step,
                next.node.trees == trees
            else { return nil }
            return (steps, next)
        }
        let isForExtension = try await replica.write { transaction in
            guard let (steps, next) = try next(transaction) else { throw HostError.outdated }
            if next.needsExtension { return true }
            try steps.take(next)
            return false
        }
        guard isForExtension else { return }
        state.withLock { $0.busy.insert(id, in: .metadata) }
        defer { state.withLock { $0.busy.remove(id) } }
        switch try await call(for: id, if: { try next($0) != nil }) {
        case .done: break
        case .needless: throw HostError.outdated
        case .failed(let error): throw error
        }
    }
}

extension Outlook {
    /// Nodes change places among each other.
    fileprivate var isTurn: Bool {
        guard case .change = step else { return false }
        return neighbours.around.downstreamHolder == .circle
    }
}
