import BasketSupport
import FileProvider
import FileProviderReplica

// The interactive testing mode: nothing is done by itself, and a test says what is.
extension DomainHost {
    /// What would be done next. What the provider has to tell is asked for first.
    ///
    /// An operation is there once it can be done: what lies in a folder waits for that, and what wants a name for
    /// whoever has it.
    package func availableOperations() async throws -> [TestingOperation] {
        guard settings.isInteractive else { throw HostError.notInteractive }
        guard try calls.isConnected() else { return [] }
        let discoveries = try await discover()
        return try await plannedSteps() + discoveries + wantedContents()
    }

    /// Does these, one after another in that order, and nothing else.
    /// - Returns: why they failed, for those that did. One for which things have moved on has changed nothing.
    package func run(_ operations: [TestingOperation]) async -> [TestingOperation: any Error] {
        var errors: [TestingOperation: any Error] = [:]
        for operation in operations {
            do {
                guard settings.isInteractive else { throw HostError.notInteractive }
                guard try calls.isConnected() else { throw HostError.disconnected }
                try await run(operation.subject)
            } catch {
                errors[operation] = error
            }
            replica.changes.poke()
        }
        return errors
    }

    private func run(_ subject: TestingSubject) async throws {
        switch subject {
        case .step(let step, let id, let trees): try await take(step, id, trees)
        case .told(let number): try await takeIn(number)
        case .unknown(let identifier): try await lookUp(identifier)
        case .unseen(let id):
            let isUnseen = try replica.read { reader in
                try reader.stage() == .verifying && reader.unseen(limit: .max).contains(id)
            }
            guard isUnseen else { throw HostError.outdated }
            try await workingSet.verify(id)
        case .everything:
            guard workingSet.isComplete, try replica.read({ try $0.stage() }) == .filling else {
                throw HostError.outdated
            }
            let enumerator = try workingSet.enumerator()
            defer { enumerator.invalidate() }
            try await workingSet.fill(enumerator)
        case .again(let folder):
            let isNext = try replica.read { reader in
                try reader.stage() == .filling && reader.nextFolderToList() == folder
            }
            guard isNext else { throw HostError.outdated }
            try await workingSet.list(folder)
            try await replica.write { try $0.passFolder(folder, isListed: true) }
        case .wanted(let id): try await bringWanted(id)
        }
    }
}
