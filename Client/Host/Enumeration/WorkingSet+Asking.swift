import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

// What was not told is asked for, item by item.
extension WorkingSet {
    private static let askedAtOnce = 16

    /// What the provider had, and did not tell again, is asked for: a listing that is cut short, or wrong, takes
    /// nothing away.
    func verify() async throws {
        var last = NodeID.trash
        while try replica.read({ try $0.stage() }) == .verifying {
            let after = last
            let unseen = try replica.read { try $0.unseen(after: after, limit: Self.askedAtOnce) }
            if let end = unseen.max() {
                last = end
                try await forEach(of: unseen) { try await verify($0) }
            } else if last > .trash {
                // Some may have come to be among those that were passed.
                last = .trash
            } else {
                try await replica.write { try $0.endVerifying() }
            }
        }
    }

    /// Something else was answered of those while they were told of.
    func look(for doubtful: [NSFileProviderItemIdentifier]) async throws {
        for part in doubtful.parts(of: Self.askedAtOnce) {
            try await forEach(of: part) { identifier in
                do {
                    guard try await isMissing(identifier) else { return }
                    try await replica.write { try $0.forget(identifier) }
                } catch  where Reaction(error).isOfOneAlone(error) {
                    try await owe([identifier], error)
                }
            }
        }
    }

    /// As `bringHome`; those that cannot be brought home now are looked at again later, and keep nobody from the rest.
    func bringHomeOrOwe(_ strays: [RemoteItem], of question: Tidings.Question) async throws {
        var owed: [NSFileProviderItemIdentifier] = []
        var unknown: [NSFileProviderItemIdentifier: any Error] = [:]
        for stray in strays {
            if unknown[stray.parent] == nil {
                do {
                    try await bringHome([stray], of: question)
                    continue
                } catch  where Reaction(error).isOfOneAlone(error) {
                    unknown[stray.parent] = error
                }
            }
            owed.append(stray.identifier)
        }
        if let error = unknown.values.first { try await owe(owed, error) }
    }

    private func owe(
        _ identifiers: [NSFileProviderItemIdentifier], _ error: any Error
    ) async throws {
        noteUnseen(error)
        try await replica.write { transaction in
            for identifier in identifiers { try transaction.noteOwed(identifier) }
        }
    }

    private func noteUnseen(_ error: any Error) {
        calls.watch.world.log.warning(
            "something at the provider cannot be looked at", ["error": .text("\(error)")])
    }

    private func forEach<Element: Sendable>(
        of few: some Sequence<Element>, _ work: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for element in few { group.addTask { try await work(element) } }
            try await group.waitForAll()
        }
    }

    /// What fails for itself alone, time and again, keeps nobody from the rest.
    /// - Returns: whether it was done.
    func isDone(_ work: () async throws -> Void) async throws -> Bool {
        for pause in Self.pauses {
            do {
                try await work()
                return true
            } catch {
                guard Reaction(error).isOfOneAlone(error) else { throw error }
                guard let pause else {
                    noteUnseen(error)
                    return false
                }
                try await calls.watch.world.sleep(pause)
            }
        }
        return false
    }

    private static let pauses: [Duration?] = [.seconds(1), .seconds(3), nil]

    /// Takes in an item that somebody names, if there is one.
    func bringHome(_ identifier: NSFileProviderItemIdentifier) async throws {
        _ = try await isDone { _ = try await isMissing(identifier, isWanted: true) }
    }

    func verify(_ id: NodeID) async throws {
        guard try await !removeIfGone(id) else { return }
        // It is there, but may lie where nobody has looked; or nobody can say.
        try await replica.write { try $0.noteSeen(id) }
    }

    /// Asks the provider about nodes that it may not have any more.
    func removeGone(_ ids: [NodeID]) async throws {
        for part in ids.parts(of: Self.askedAtOnce) {
            try await forEach(of: part) { _ = try await removeIfGone($0) }
        }
    }

    /// Asks the provider about a node that it may not have any more; where it cannot say, it is asked again later.
    /// - Returns: whether there is nothing more to see of it.
    private func removeIfGone(_ id: NodeID) async throws -> Bool {
        // Also what lay in a folder that the provider does not have: it may have gone somewhere else before that, and a
        // folder that could not be offered once more yet may be there under a name that nobody knows.
        let identifier = try replica.read { reader in
            try reader.node(id).flatMap { $0.trees.remote == nil ? nil : $0.identifier }
        }
        guard let identifier else { return true }
        var isGone = false
        let isKnown = try await isDone { isGone = try await isMissing(identifier) }
        if isGone {
            try await replica.write { try $0.forget(identifier) }
        } else if !isKnown {
            try await replica.write { try $0.noteOwed(OwedLook(node: id, isListing: false)) }
        }
        return isGone
    }

    /// Looks at what could not be looked at when it was to be. What cannot be now either stays owed, and keeps nobody
    /// from the rest; where none of a few can be reached, the others cannot either.
    /// - Returns: whether something is left.
    func lookAgain() async throws -> Bool {
        var lastNode: NodeID?
        while true {
            let last = lastNode
            let few = try replica.read { try $0.owed(after: last, limit: Self.askedAtOnce) }
            guard let end = few.last else { break }
            lastNode = end.node
            guard try await isAnyReached(of: few, perform) else { return true }
        }
        var lastStray: NSFileProviderItemIdentifier?
        while true {
            let last = lastStray
            let few = try replica.read { try $0.strays(after: last, limit: Self.askedAtOnce) }
            guard let end = few.last else { break }
            lastStray = end
            guard try await isAnyReached(of: few, bringStrayHome) else { return true }
        }
        return try replica.read { try $0.isLookOwed() }
    }

    private func isAnyReached<Element: Sendable>(
        of few: [Element], _ work: @escaping @Sendable (Element) async throws -> Void
    ) async throws -> Bool {
        let isAnswered = Atomic(false)
        try await forEach(of: few) { element in
            if try await isReached({ try await work(element) }) {
                isAnswered.store(true, ordering: .relaxed)
            }
        }
        return isAnswered.load(ordering: .relaxed)
    }

    /// - Returns: whether somebody has answered, whatever that was.
    private func isReached(_ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return true
        } catch HostError.disconnected {
            throw HostError.disconnected
        } catch let error as SQLiteError {
            // That is nobody's answer, and the same for the next ones.
            throw error
        } catch {
            try Task.checkCancellation()
            return !Outage.isOne(error)
        }
    }

    private func perform(_ look: OwedLook) async throws {
        // With a node that is gone, what is owed of it is.
        guard let node = try replica.read({ try $0.node(look.node) }) else { return }
        if look.isListing {
            // Somebody may have looked into it.
            if !node.isListed { try await list(look.node) }
        } else if node.trees.remote != nil, let identifier = node.identifier,
            try await isMissing(identifier)
        {
            // It may have been made a moment ago, which not all at the provider know yet.
            try await calls.watch.world.sleep(Self.secondWord)
            if try await isMissing(identifier) {
                try await replica.write { try $0.forget(identifier) }
            }
        }
        try await replica.write { try $0.settle(look) }
    }

    private func bringStrayHome(_ identifier: NSFileProviderItemIdentifier) async throws {
        // One that is gone has no place to go to.
        _ = try await isMissing(identifier)
        try await replica.write { try $0.settle(stray: identifier) }
    }

    private static let secondWord = Duration.seconds(1)

    /// Whether the provider has an item no more. What it says of one that it has is taken in.
    /// - Parameter isWanted: whether that is so also where nobody has looked yet.
    func isMissing(
        _ identifier: NSFileProviderItemIdentifier, isWanted: Bool = false
    ) async throws -> Bool {
        try await tidings.asking { question in
            do {
                let item = try await item(identifier)
                try await bringHome(
                    takeIn([item], of: question, isListed: isComplete), of: question,
                    isWanted: isWanted)
                return false
            } catch  where Reaction(error).isMissing {
                guard question.counts(for: identifier) else {
                    return question.isBeforeTheEnd(of: identifier)
                }
                question.settle(identifier, isGone: true)
                return true
            }
        }
    }
}
