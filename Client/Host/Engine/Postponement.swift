import FileProviderReplica

/// What has the extension be called for nobody while something stands in the way of everything, but for one who finds
/// out whether it is over. There may be tens of thousands, who are put off together.
struct Postponement: Sendable {
    private let failure: DomainHost.Failure
    /// For how long nobody is to find that out.
    private let left: Duration
    private var isFoundOut = false

    /// - Parameter left: zero where it is time to find out.
    init(because error: any Error, left: Duration) {
        failure = DomainHost.Failure(error: error)
        self.left = left
    }

    /// - Returns: whether it is put off; else it is the one to find out.
    mutating func putOff(_ id: NodeID, _ transaction: ReplicaTransaction) throws -> Bool {
        if left == .zero, !isFoundOut {
            isFoundOut = true
            return false
        }
        // Notes of time are coarser: who comes back a little too early would come back for ever.
        let pause = left == .zero ? ErrorApplication.probe : left + .milliseconds(1)
        try ErrorApplication(transaction: transaction, jitter: 0)
            .putOff(id, because: failure.error, for: pause)
        return true
    }
}
