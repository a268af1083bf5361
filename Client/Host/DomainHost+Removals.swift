import FileProviderReplica

// Removals that are held back because they are many at once.
extension DomainHost {
    /// All that are held back are meant so, and go to the provider.
    /// - Returns: how many they were.
    @discardableResult
    package func confirmRemovals() async throws -> Int {
        hurry()
        return try await replica.write { transaction in
            let count = try transaction.reader.heldRemovals()
            try transaction.confirmRemovals()
            return count
        }
    }

    /// All that are held back come back as the provider has them.
    /// - Returns: how many they were.
    @discardableResult
    package func undoRemovals() async throws -> Int {
        hurry()
        return try await replica.write { transaction in
            let count = try transaction.reader.heldRemovals()
            try transaction.undoRemovals()
            return count
        }
    }
}
