import BasketModels

// Who has an item open.
extension ServerConnection {
    private struct LocksAnswer: Decodable {
        var locks: [LockInfo]
    }

    package func locks(
        on item: String, in domain: String
    ) async throws(ConnectionError) -> [LockInfo] {
        try await value(LocksAnswer.self, APICall("GET", items(domain, item, "lock"))).locks
    }

    /// Takes the device's lock, or renews it. All locks on the item, the first one first.
    package func takeLock(
        on item: String, in domain: String, _ request: LockRequest = LockRequest()
    ) async throws(ConnectionError) -> [LockInfo] {
        try await value(
            LocksAnswer.self, APICall("PUT", items(domain, item, "lock")).json(request)
        ).locks
    }

    /// - Parameter force: breaks everybody's; for the domain's owner.
    package func giveUpLock(
        on item: String, in domain: String, force: Bool = false
    ) async throws(ConnectionError) {
        try await done(
            APICall(
                "DELETE", items(domain, item, "lock"), query: [("force", force ? "true" : nil)]))
    }
}
